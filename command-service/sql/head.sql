-- The head of one shard (primary key, from its end: the newest version comes first).
SELECT pos, topic_seqs FROM shard_head WHERE shard = $1 ORDER BY pos DESC LIMIT 1
