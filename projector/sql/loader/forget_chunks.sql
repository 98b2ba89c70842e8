-- Index: build_chunk_pkey.
delete from build_chunk where build = $1
