-- Parked keys, each by its first letter, with how many wait; those whose first letter is behind $1. Index: dead_letter_key.
select first.id, first.topic, first.shard, first.pos, first.event_type, first.error, first.attempts, first.created_at,
       (select count(*) from dead_letter d where d.topic = k.topic and d.message_key = k.message_key) as letters
from parked_key k
cross join lateral (
    select d.id, d.topic, d.shard, d.pos, d.event_type, d.error, d.attempts, d.created_at
    from dead_letter d
    where d.topic = k.topic and d.message_key = k.message_key
    order by d.id
    limit 1
) as first
where first.id > $1
order by first.id
limit $2
