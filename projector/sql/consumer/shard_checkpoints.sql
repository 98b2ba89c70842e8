-- Whole table: at most topics x shards rows.
select topic, shard, topic_seq, pos, history, request_id from shard_checkpoint
