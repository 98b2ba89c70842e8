-- A try of a chunk failed: $3 says what. The next one is due after $4 seconds, twice as long after each, at most $5. Also whether the
-- events say that its build was loaded. Index: build_chunk_pkey, data_build_pkey.
update build_chunk c
set attempts = attempts + 1, fault = $3,
    due_at = now() + make_interval(secs => least($4 * power(2, least(attempts, 20)), $5))
where c.build = $1 and c.chunk = $2
returning attempts, (select b.status in ('active', 'loaded', 'retired') from data_build b where b.build = c.build)
