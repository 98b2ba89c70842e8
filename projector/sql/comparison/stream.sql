-- The stream that is compared or the next one, with how far the read models are in it. Index: shard_checkpoint_pkey.
select topic, shard, topic_seq, pos from shard_checkpoint
where (topic, shard) > ($1, $2) or (topic, shard) = ($1, $2) and topic_seq > $3
order by topic, shard limit 1
