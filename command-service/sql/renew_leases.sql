-- Extends the leases of this process (64 rows).
UPDATE shard_lease SET expires_at = now() + make_interval(secs => $2) WHERE owner = $1 RETURNING shard
