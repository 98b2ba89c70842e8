-- How many contracts these accounts list. Index: account_contract_pkey.
SELECT count(*) FROM account_contract WHERE account_id = ANY($1)
