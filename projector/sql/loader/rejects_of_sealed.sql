-- Lines of a sealed build that is loaded for the first time, and how many of them are rejected so far. Index: data_build_pkey, build_reject_pkey.
select b.lines, (select count(*) from build_reject r where r.build = b.build) as rejected
from data_build b
where b.build = $1 and b.status = 'loading' and b.lines is not null
