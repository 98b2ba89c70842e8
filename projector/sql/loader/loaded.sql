-- Index: build_chunk_pkey.
update build_chunk set state = 'loaded', loaded_rows = $3, report = $4, edition = $5 where build = $1 and chunk = $2
