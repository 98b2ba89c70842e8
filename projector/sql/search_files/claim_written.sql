-- Files that were written anew and that command-service does not know yet, held by the lock of the row.
-- Whole table: one row a build.
select i.build, i.search_files
from build_index i
join build_load l on l.build = i.build and l.stage = 'indexed'
where i.state = 'written' and i.due_at <= now()
order by i.asked_at
limit 1
for update of i skip locked
