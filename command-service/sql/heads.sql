-- The heads of all shards, in order (64 rows).
SELECT topic_seqs FROM shard_head ORDER BY shard
