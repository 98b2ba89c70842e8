-- Gives back what is above the fair share, the last partitions first. Index: partition_lease_pkey.
delete from partition_lease
where owner = $1
  and (topic, partition) in (
      select topic, partition from partition_lease
      where owner = $1
      order by partition, topic
      offset $2
  )
