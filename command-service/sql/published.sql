-- The publication mark of one shard (primary key).
SELECT pos FROM published WHERE shard = $1
