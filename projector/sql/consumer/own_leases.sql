-- Whole table: one row a partition.
select topic, partition from partition_lease where owner = $1 and expires_at > now() order by topic, partition
