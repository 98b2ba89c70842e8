-- Kafka closes a segment only when something comes after its time, and compacts only what is closed: in a partition that gets no further
-- report the erased values would stay. So a tombstone is owed twice: at once, and again after the time that the topic's settings give.
SET LOCAL statement_timeout = 0;
ALTER TABLE owed_tombstone ADD COLUMN sent_at timestamptz;
COMMENT ON COLUMN owed_tombstone.sent_at IS 'Since when Kafka has the tombstone, which is then owed once more; null before that.';
COMMENT ON TABLE owed_tombstone IS 'Erased reports of which Kafka may still have the values. Written by the statement that erases, removed when Kafka has the tombstone for the second time.';
-- Of what was erased before, Kafka has the tombstone and may still have the values.
INSERT INTO owed_tombstone (report_id, shard, erased_at, sent_at)
SELECT report.report_id, event.shard, report.erased_at, report.erased_at
FROM report JOIN event ON event.aggregate_id = report.report_id AND event.seq = 1
WHERE report.erased_at IS NOT NULL
ON CONFLICT (report_id) DO NOTHING;
