-- For operators: outcomes that were told in vain so far, and builds that the events say were loaded and that cannot be loaded here,
-- with the last fault. A few rows a build. Index: build_chunk_waiting.
select l.build, case l.stage when 'failed' then 'failed' else 'loaded' end as outcome, l.tell_attempts as attempts, l.tell_fault as fault
from build_load l
where l.stage in ('indexed', 'failed') and l.reported_at is null and l.tell_fault is not null
union all
select distinct on (l.build) l.build, 'loaded again', tried.attempts, tried.fault
from build_load l
join data_build b on b.build = l.build and b.status in ('active', 'loaded', 'retired')
cross join lateral (
    select l.attempts, l.fault
    union all
    select c.attempts, c.fault from build_chunk c where c.build = l.build and c.state = 'staged'
) as tried
where l.stage = 'loading' and tried.fault is not null
order by build
limit 100
