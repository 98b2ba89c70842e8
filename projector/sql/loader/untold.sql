-- Outcomes that were told in vain so far, for operators. Whole table: one row a build.
select l.build, case l.stage when 'failed' then 'failed' else 'loaded' end as outcome, l.tell_attempts as attempts, l.tell_fault as fault
from build_load l
where l.stage in ('indexed', 'failed') and l.reported_at is null and l.tell_fault is not null
order by l.build
limit 100
