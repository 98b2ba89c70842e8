-- The first $2 letters of the key of one, in order. Index: dead_letter_key, read from where the key begins, whatever statistics say of a
-- key that has just become busy; what follows the key in the index is left out.
select first.id, first.envelope, first.topic, first.shard, first.message_key
from dead_letter asked
cross join lateral (
    select d.id, d.envelope, d.topic, d.shard, d.message_key
    from dead_letter d
    where (d.topic, d.message_key) >= (asked.topic, asked.message_key)
    order by d.topic, d.message_key, d.id
    limit $2
) as first
where asked.id = $1 and first.topic = asked.topic and first.message_key = asked.message_key
order by first.id
