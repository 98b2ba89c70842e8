-- Gives leases back at once (64 rows).
UPDATE shard_lease SET owner = NULL, address = NULL, expires_at = NULL
WHERE owner = $1 AND shard = ANY($2)
