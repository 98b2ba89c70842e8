-- Index: data_build_pkey.
select status from data_build where build = $1
