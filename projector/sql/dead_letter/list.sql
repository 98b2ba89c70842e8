-- Index: dead_letter_pkey.
select id, topic, shard, pos, event_type, error, attempts, created_at from dead_letter order by id limit $1
