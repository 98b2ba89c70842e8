-- This process is alive; one address holds one process (unique index on address), so a new process takes the place of the one
-- that was killed there. Not a DELETE in a CTE: the INSERT of the same statement would still see the row. Who stood there before ($4) takes
-- it from nobody who lives: then no row comes back.
INSERT INTO instance (instance, address, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))
ON CONFLICT (address) DO UPDATE SET instance = excluded.instance, expires_at = excluded.expires_at
WHERE NOT $4 OR instance.instance = excluded.instance OR instance.expires_at < now()
RETURNING instance
