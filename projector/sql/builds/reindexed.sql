-- Index: data_build_pkey.
update data_build set search_files = $2 where build = $1
