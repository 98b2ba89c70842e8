-- Compare-and-set by shard; a row that is not there counts as 0. Index: shard_checkpoint_pkey.
insert into shard_checkpoint as c (topic, shard, topic_seq, pos)
select n.topic, n.shard, n.topic_seq, n.pos
from unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[]) as n (topic, shard, expected, topic_seq, pos)
order by n.topic, n.shard
on conflict (topic, shard) do update
set topic_seq = excluded.topic_seq, pos = excluded.pos
where c.topic_seq = (
    select e.expected
    from unnest($1::text[], $2::smallint[], $3::bigint[]) as e (topic, shard, expected)
    where e.topic = excluded.topic and e.shard = excluded.shard
)
