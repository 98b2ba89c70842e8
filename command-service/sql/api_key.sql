-- Account and proof of one key (primary key).
SELECT account_id, secret_hmac FROM api_key WHERE api_key_id = $1
