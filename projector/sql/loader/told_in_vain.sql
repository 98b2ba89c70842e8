-- The next time is due after $3 seconds, twice as long after each, at most $4. Index: build_load_pkey.
update build_load
set tell_attempts = tell_attempts + 1, tell_fault = $2,
    tell_due_at = now() + make_interval(secs => least($3 * power(2, least(tell_attempts, 20)), $4))
where build = $1
