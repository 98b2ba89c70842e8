-- Compare-and-set by shard; a row that is not there counts as 0. Index: shard_checkpoint_pkey.
insert into shard_checkpoint as c (topic, shard, topic_seq, pos, history, request_id)
select n.topic, n.shard, n.topic_seq, n.pos, n.history, n.request_id
from unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[])
    as n (topic, shard, expected, topic_seq, pos, history, request_id)
order by n.topic, n.shard
on conflict (topic, shard) do update
set topic_seq = excluded.topic_seq, pos = excluded.pos, history = excluded.history, request_id = excluded.request_id
where c.topic_seq = (
    select e.expected
    from unnest($1::text[], $2::smallint[], $3::bigint[]) as e (topic, shard, expected)
    where e.topic = excluded.topic and e.shard = excluded.shard
)
