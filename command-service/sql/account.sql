-- One account (primary key).
SELECT name, opened_at FROM account WHERE account_id = $1
