-- The newest event of a report (unique index on aggregate_id, seq).
SELECT shard, pos, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at
FROM event WHERE aggregate_id = $1 ORDER BY seq DESC LIMIT 1
