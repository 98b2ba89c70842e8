-- The kind of a build's records. Index: data_build_pkey.
select kind from data_build where build = $1
