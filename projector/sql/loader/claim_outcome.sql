-- An outcome that is due to be told, held by the lock of its row; of a build that the events say has ended, it is known.
-- Whole table: one row a build.
select l.build, l.stage, l.rows, l.rejected, l.reference_date, l.report, l.search_files, l.reason, b.status <> 'loading' as is_known
from build_load l
join data_build b on b.build = l.build
where l.stage in ('indexed', 'failed') and l.reported_at is null and (l.tell_due_at <= now() or b.status <> 'loading')
order by b.created_at
limit 1
for update of l skip locked
