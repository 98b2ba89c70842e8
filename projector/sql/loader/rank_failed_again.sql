-- A try to rank failed: $2 says what. The next one is due after $3 seconds, twice as long after each, at most $4. Also whether the
-- events say that the build was loaded. Index: build_load_pkey, data_build_pkey.
update build_load l
set attempts = attempts + 1, fault = $2,
    due_at = now() + make_interval(secs => least($3 * power(2, least(attempts, 20)), $4))
where l.build = $1
returning attempts, (select b.status in ('active', 'loaded', 'retired') from data_build b where b.build = l.build)
