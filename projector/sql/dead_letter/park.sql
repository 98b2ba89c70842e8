-- In the order of the arrays, which is the order of the events.
insert into dead_letter (topic, partition, shard, pos, topic_seq, message_key, event_type, envelope, error)
select topic, partition, shard, pos, topic_seq, message_key, event_type, envelope, error
from unnest($1::text[], $2::int[], $3::smallint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::jsonb[], $9::text[])
    with ordinality as n (topic, partition, shard, pos, topic_seq, message_key, event_type, envelope, error, place)
order by place
