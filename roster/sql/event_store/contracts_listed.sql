-- The contracts that these accounts list. Index: account_contract_pkey.
SELECT contract_id, account_id FROM account_contract WHERE account_id = ANY($1)
