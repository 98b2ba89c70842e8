-- Deletes named charges that are older than so many milliseconds, by the clock of the store, a slice at a time (BRIN on
-- created_at).
DELETE FROM idempotency WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM idempotency WHERE created_at < now() - $1::bigint * interval '1 millisecond' LIMIT $2
)) AND created_at < now() - $1::bigint * interval '1 millisecond'
