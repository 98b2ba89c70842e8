-- Index: build_chunk_pkey.
update build_chunk set scanned = true, attempts = 0, newest_last_seen = $3 where build = $1 and chunk = $2
