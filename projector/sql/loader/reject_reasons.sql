-- The commonest reasons of a build's rejects, with the first line of each; which line an id stood in before does not tell reasons apart.
-- Index: build_reject_pkey.
select regexp_replace(reason, ', in line [0-9]+$', '') as why, count(*), min(line)
from build_reject where build = $1
group by why order by count(*) desc, min(line) limit $2
