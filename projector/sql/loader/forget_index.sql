-- Index: build_index_pkey.
delete from build_index where build = $1
