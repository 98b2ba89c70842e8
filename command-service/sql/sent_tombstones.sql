-- Tombstones that Kafka has for the first time are owed no more, and are to be repeated from now on (primary keys).
WITH sent AS (DELETE FROM owed_tombstone WHERE report_id = ANY($1) RETURNING report_id, shard)
INSERT INTO repeated_tombstone (report_id, shard, sent_at) SELECT report_id, shard, now() FROM sent
ON CONFLICT (report_id) DO UPDATE SET sent_at = excluded.sent_at
