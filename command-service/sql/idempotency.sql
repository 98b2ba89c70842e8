-- What is kept of a named charge (primary key).
SELECT request_hash, receipt FROM idempotency
WHERE account_id = $1 AND endpoint = $2 AND key_hash = $3 AND created_at > $4
