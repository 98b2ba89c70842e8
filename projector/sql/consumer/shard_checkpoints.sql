-- Whole table: at most topics x shards rows.
select topic, shard, topic_seq from shard_checkpoint
