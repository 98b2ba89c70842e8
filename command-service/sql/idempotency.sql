-- What is kept of a named charge that is not older than so many milliseconds, by the clock of the store (primary key).
SELECT request_hash, receipt FROM idempotency
WHERE account_id = $1 AND endpoint = $2 AND key_hash = $3 AND created_at > now() - $4::bigint * interval '1 millisecond'
