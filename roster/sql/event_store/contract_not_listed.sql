-- The first of these contracts that its account does not list. Index: account_contract_pkey.
SELECT c.contract_id FROM unnest($1::uuid[], $2::uuid[]) AS c (contract_id, account_id)
WHERE NOT EXISTS (SELECT FROM account_contract AS a WHERE a.account_id = c.account_id AND a.contract_id = c.contract_id)
ORDER BY c.contract_id LIMIT 1
