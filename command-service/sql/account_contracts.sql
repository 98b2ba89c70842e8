-- An account's contracts (index on account_id).
SELECT contract_id FROM contract_balance WHERE account_id = $1 ORDER BY contract_id
