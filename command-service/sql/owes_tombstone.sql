-- Whether Kafka has never got the tombstone of one report (primary key).
SELECT EXISTS (SELECT FROM owed_tombstone WHERE report_id = $1 AND sent_at IS NULL)
