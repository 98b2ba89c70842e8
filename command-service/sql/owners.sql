-- Who owns what now (64 rows).
SELECT shard, address FROM shard_lease WHERE owner IS NOT NULL AND expires_at > now()
