-- Rows that every batch changes are found by what they hold, so that a batch meets the newest version alone: while a snapshot is open
-- somewhere (a backup, reconciliation) older ones cannot be removed, and each batch walked over all of them.
SET LOCAL statement_timeout = 0;
ALTER TABLE shard_head DROP CONSTRAINT shard_head_pkey, ADD PRIMARY KEY (shard, pos);
COMMENT ON CONSTRAINT shard_head_pkey ON shard_head IS 'One row a shard, looked up with the position that the writer expects.';
ALTER TABLE contract_balance DROP CONSTRAINT contract_balance_pkey, ADD PRIMARY KEY (contract_id, balance);
COMMENT ON CONSTRAINT contract_balance_pkey ON contract_balance IS 'One row a contract (its first event is unique), looked up with the balance before the batch.';
COMMENT ON TABLE contract_balance IS 'Moved in the statement of each charge, from the balance that the writer expects: with the CHECK the tripwire below the decision in memory.';
