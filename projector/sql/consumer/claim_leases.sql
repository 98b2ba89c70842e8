-- Takes free or expired partitions up to the fair share $4. Index: partition_lease_pkey.
insert into partition_lease as l (topic, partition, owner, expires_at)
select n.topic, n.partition, $1, now() + make_interval(secs => $5)
from unnest($2::text[], $3::int[]) as n (topic, partition)
where not exists (
    select from partition_lease held
    where held.topic = n.topic and held.partition = n.partition and held.expires_at > now()
)
order by n.partition, n.topic
limit greatest($4 - (select count(*) from partition_lease own where own.owner = $1 and own.expires_at > now()), 0)
on conflict (topic, partition) do update
set owner = excluded.owner, expires_at = excluded.expires_at
where l.expires_at <= now()
