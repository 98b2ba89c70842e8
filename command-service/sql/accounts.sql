-- A page of accounts, oldest first, after the account $2 (index account_in_order).
SELECT account_id, name, opened_at FROM account
WHERE (opened_at, account_id) > (coalesce((SELECT opened_at FROM account WHERE account_id = $2), '-infinity'),
                                 coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid))
ORDER BY opened_at, account_id LIMIT $1
