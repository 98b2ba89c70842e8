-- Index: build_index_pkey.
select i.build, i.state, i.asked_at, i.attempts, i.rows_written, l.rows, i.fault, i.search_files,
       coalesce(i.leased_until > now(), false) as is_leased, coalesce(b.search_files = i.search_files, false) as is_known
from build_index i
join build_load l on l.build = i.build
join data_build b on b.build = i.build
where i.build = $1
