-- Tombstones that Kafka has for the first time are owed once more, from now on (primary key).
UPDATE owed_tombstone SET sent_at = now() WHERE report_id = ANY($1) AND sent_at IS NULL
