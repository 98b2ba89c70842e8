-- An account's contracts (primary key).
SELECT contract_id FROM account_contract WHERE account_id = $1 ORDER BY contract_id
