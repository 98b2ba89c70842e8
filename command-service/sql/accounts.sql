-- All accounts, oldest first, for operators (whole table, capped).
SELECT account_id, name, opened_at FROM account ORDER BY opened_at, account_id LIMIT $1
