-- Index: checkpoint_pkey.
select c.topic, c.partition, c.next_offset
from checkpoint c
join unnest($1::text[], $2::int[]) as n (topic, partition) using (topic, partition)
