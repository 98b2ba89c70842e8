-- Account and proof of keys that were shown (primary key).
SELECT api_key_id, account_id, secret_hmac FROM api_key WHERE api_key_id = ANY($1)
