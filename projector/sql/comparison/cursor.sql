-- How far the comparison is (one row).
select topic, shard, seq, pos, differences, last_differences, extract(epoch from ended_at)::bigint as ended_at from comparison
