-- Chunks that are marked as loaded and are not among $2, which the load tables hold. Index: build_chunk_pkey.
update build_chunk set state = 'staged', loaded_rows = 0, report = null
where build = $1 and state = 'loaded' and chunk <> all ($2)
