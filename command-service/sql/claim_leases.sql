-- Takes free leases: never taken, run out, or of an earlier process at this address (64 rows).
UPDATE shard_lease SET owner = $1, address = $2, expires_at = now() + make_interval(secs => $3),
    number = number + 1
WHERE shard IN (
    SELECT shard FROM shard_lease
    WHERE owner IS NULL OR expires_at < now() OR (address = $2 AND owner <> $1)
    ORDER BY shard LIMIT $4
    FOR UPDATE SKIP LOCKED
)
RETURNING shard, number
