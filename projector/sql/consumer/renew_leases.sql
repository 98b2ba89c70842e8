-- Whole table: one row a partition.
update partition_lease set expires_at = now() + make_interval(secs => $2) where owner = $1 and expires_at > now()
