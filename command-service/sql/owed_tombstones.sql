-- Tombstones that shards owe, those that Kafka never got first, each with the time that its message says (the whole table: it holds what
-- is owed alone); none again where $3 is null. One that is repeated is of now: what the messages say decides when Kafka closes a segment.
SELECT report_id, CASE WHEN sent_at IS NULL THEN erased_at ELSE now() END, sent_at IS NOT NULL
FROM owed_tombstone
WHERE shard = ANY($1) AND (sent_at IS NULL OR sent_at <= now() - $3 * interval '1 millisecond')
ORDER BY sent_at NULLS FIRST, erased_at, report_id LIMIT $2
