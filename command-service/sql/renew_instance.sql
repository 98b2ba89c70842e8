-- This process is alive; one address holds one process (unique index on address).
WITH gone AS (DELETE FROM instance WHERE address = $2 AND instance <> $1)
INSERT INTO instance (instance, address, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))
ON CONFLICT (instance) DO UPDATE SET expires_at = excluded.expires_at
