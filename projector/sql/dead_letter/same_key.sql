-- The letters of one key in order. Index: dead_letter_key.
select d.id, d.envelope, d.topic, d.shard, d.message_key
from dead_letter d
join dead_letter asked on asked.id = $1 and asked.topic = d.topic and asked.message_key = d.message_key
order by d.id
