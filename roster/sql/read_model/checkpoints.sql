-- How far each shard is in each topic. Whole table: at most 256 rows.
SELECT topic, shard, topic_seq FROM shard_checkpoint
