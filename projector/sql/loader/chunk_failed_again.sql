-- A try of a chunk failed: $3 says what. The next one is due after $4 seconds, twice as long after each, at most $5.
-- Index: build_chunk_pkey.
update build_chunk
set attempts = attempts + 1, fault = $3,
    due_at = now() + make_interval(secs => least($4 * power(2, least(attempts, 20)), $5))
where build = $1 and chunk = $2
returning attempts
