-- The newest event of a report (unique index on aggregate_id, seq).
SELECT shard, pos, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = event.shard AND h.first_pos <= event.pos), 1) AS history
FROM event WHERE aggregate_id = $1 ORDER BY seq DESC LIMIT 1
