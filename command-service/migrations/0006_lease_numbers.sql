-- A lease has a number: giving one back late must give no newer one back.
ALTER TABLE shard_lease ADD COLUMN number bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN shard_lease.number IS 'Raised whenever the lease is taken, also again by the same process.';
