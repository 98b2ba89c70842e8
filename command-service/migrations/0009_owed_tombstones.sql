-- An erasure is carried out when Kafka has its tombstone: until then the store owes it, whatever becomes of the process that erased.
SET LOCAL statement_timeout = 0;
CREATE TABLE owed_tombstone (
    report_id uuid        PRIMARY KEY,
    shard     smallint    NOT NULL,
    erased_at timestamptz NOT NULL
);
COMMENT ON TABLE owed_tombstone IS 'Erased reports of which Kafka may still have the values. Written by the statement that erases, removed when Kafka has the tombstone.';
-- Of what was erased before nobody knows whether Kafka has it: a tombstone that is repeated changes nothing.
INSERT INTO owed_tombstone (report_id, shard, erased_at)
SELECT report.report_id, event.shard, report.erased_at
FROM report JOIN event ON event.aggregate_id = report.report_id AND event.seq = 1
WHERE report.erased_at IS NOT NULL;
