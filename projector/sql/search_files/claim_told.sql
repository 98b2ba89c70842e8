-- Files that everybody can know for $1 seconds: others of the build may go. Held by the lock of the row.
-- Whole table: one row a build.
select i.build, i.search_files ->> 'manifest'
from build_index i
join build_load l on l.build = i.build and l.stage = 'indexed'
join data_build b on b.build = i.build and b.search_files = i.search_files
where i.state = 'told' and i.told_at < now() - make_interval(secs => $1)
order by i.asked_at
limit 1
for update of i skip locked
