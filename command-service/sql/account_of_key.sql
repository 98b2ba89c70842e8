-- Whose a key is (primary key).
SELECT account_id FROM api_key WHERE api_key_id = $1
