-- An outcome that command-service has not taken yet, held by the lock of its row. Whole table: one row a build.
select l.build, l.stage, l.rows, l.rejected, l.reference_date, l.report, l.search_files, l.reason
from build_load l
join data_build b on b.build = l.build
where l.stage in ('indexed', 'failed') and l.reported_at is null
order by b.created_at
limit 1
for update of l skip locked
