-- The head of one shard (primary key).
SELECT pos, topic_seqs FROM shard_head WHERE shard = $1
