-- Balances of a shard. Whole table: there is no index on shard, and 64 scans are few.
SELECT contract_id, balance FROM contract_balance WHERE shard = $1 ORDER BY contract_id
