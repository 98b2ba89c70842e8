-- Gives leases back at once, by their numbers: none that was taken since (64 rows).
UPDATE shard_lease SET owner = NULL, address = NULL, expires_at = NULL
FROM unnest($2::smallint[], $3::bigint[]) AS held (shard, number)
WHERE shard_lease.shard = held.shard AND shard_lease.number = held.number AND shard_lease.owner = $1
