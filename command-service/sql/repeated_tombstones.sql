-- Tombstones of shards that Kafka has had for so many milliseconds, oldest first, each with the time that its repeat says: that of now,
-- since what the messages say decides when Kafka closes a segment (the whole table: it holds what is to be repeated alone).
SELECT report_id, now() FROM repeated_tombstone
WHERE shard = ANY($1) AND sent_at <= now() - $3 * interval '1 millisecond' ORDER BY sent_at, report_id LIMIT $2
