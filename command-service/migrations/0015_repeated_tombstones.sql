-- Kafka closes a segment only when something comes after its time, and compacts only what is closed: in a partition that gets no further
-- report the erased values would stay. So a tombstone is sent again after the time that the topic's settings give. A table of its own: an
-- instance of an earlier version that still runs knows nothing of it, and so takes nothing from it.
SET LOCAL statement_timeout = 0;
CREATE TABLE repeated_tombstone (
    report_id uuid PRIMARY KEY,
    shard smallint NOT NULL,
    sent_at timestamptz NOT NULL
);
COMMENT ON TABLE repeated_tombstone IS 'Erased reports of which Kafka has the tombstone and may still have the values. Written when Kafka has the tombstone for the first time, removed when it has it for the second time.';
COMMENT ON COLUMN repeated_tombstone.sent_at IS 'Since when Kafka has the tombstone.';
-- Of what was erased before, Kafka has the tombstone and may still have the values.
INSERT INTO repeated_tombstone (report_id, shard, sent_at)
SELECT report.report_id, event.shard, report.erased_at
FROM report JOIN event ON event.aggregate_id = report.report_id AND event.seq = 1
WHERE report.erased_at IS NOT NULL;
