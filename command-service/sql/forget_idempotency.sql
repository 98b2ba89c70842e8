-- Deletes named charges that are older than their time, a slice at a time (BRIN on created_at).
DELETE FROM idempotency WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM idempotency WHERE created_at < $1 LIMIT $2
))
