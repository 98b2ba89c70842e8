-- Tombstones that Kafka has for the second time are owed no more (primary key).
DELETE FROM owed_tombstone WHERE report_id = ANY($1) AND sent_at IS NOT NULL
