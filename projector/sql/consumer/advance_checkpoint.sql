-- Compare-and-set: a row is advanced only from the offset that this projector started from. Index: checkpoint_pkey.
insert into checkpoint as c (topic, partition, next_offset)
select n.topic, n.partition, n.next_offset
from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[]) as n (topic, partition, expected, next_offset)
order by n.topic, n.partition
on conflict (topic, partition) do update
set next_offset = excluded.next_offset
where c.next_offset = (
    select e.expected
    from unnest($1::text[], $2::int[], $3::bigint[]) as e (topic, partition, expected)
    where e.topic = excluded.topic and e.partition = excluded.partition
)
