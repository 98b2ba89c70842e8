-- Index: account_pkey.
SELECT account_id, name FROM account WHERE account_id = ANY($1)
