-- The next place to compare, and what was found (one row).
update comparison set topic = $1, shard = $2, seq = $3, pos = $4, differences = differences + $5
