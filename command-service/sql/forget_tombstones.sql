-- Tombstones that Kafka has are owed no more (primary key).
DELETE FROM owed_tombstone WHERE report_id = ANY($1)
