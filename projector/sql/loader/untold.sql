-- For operators: outcomes that were told in vain so far, and builds that the events say were loaded and that cannot be loaded here, or
-- have no search files, with the last fault. A few rows a build. Index: build_chunk_waiting.
select l.build, case l.stage when 'failed' then 'failed' else 'loaded' end as outcome, l.tell_attempts as attempts, l.tell_fault as fault
from build_load l
where l.stage in ('indexed', 'failed') and l.reported_at is null and l.tell_fault is not null
union all
(
    select distinct on (l.build) l.build, 'loaded again', tried.attempts, tried.fault
    from build_load l
    join data_build b on b.build = l.build and b.status in ('active', 'loaded', 'retired')
    cross join lateral (
        select l.attempts, l.fault where l.stage = 'loading'
        union all
        select c.attempts, c.fault from build_chunk c where c.build = l.build and c.state = 'staged' and l.stage = 'loading'
        union all
        select i.attempts, i.fault from build_index i where i.build = l.build and i.state = 'failed' and b.search_files is null
    ) as tried
    where tried.fault is not null
    order by l.build, tried.attempts desc
)
order by build
limit 100
