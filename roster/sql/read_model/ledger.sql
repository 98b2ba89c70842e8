-- The ledger of a shard in order. Index: ledger_pkey.
SELECT pos, contract_id, account_id, kind, credits, balance_after, request_id FROM ledger WHERE shard = $1 ORDER BY pos
