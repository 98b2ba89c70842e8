-- A try to rank failed: $2 says what. The next one is due after $3 seconds, twice as long after each, at most $4.
-- Index: build_load_pkey.
update build_load
set attempts = attempts + 1, fault = $2,
    due_at = now() + make_interval(secs => least($3 * power(2, least(attempts, 20)), $4))
where build = $1
returning attempts
