-- Whole table: one row a partition.
select topic, partition, next_offset from checkpoint order by topic, partition
