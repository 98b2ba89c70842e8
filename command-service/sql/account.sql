-- One account (primary key).
SELECT account_id, name, opened_at FROM account WHERE account_id = $1
