-- Every shard with its last position and its last place in each topic. Whole table: 64 rows.
SELECT shard, pos, topic_seqs FROM shard_head ORDER BY shard
