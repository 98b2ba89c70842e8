-- Proofs of an account's keys (index on account_id).
SELECT api_key_id, secret_hmac FROM api_key WHERE account_id = $1
