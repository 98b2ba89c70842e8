-- A shard's events after a position, in order (primary key).
SELECT shard, pos, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = event.shard AND h.first_pos <= event.pos), 1) AS history
FROM event WHERE shard = $1 AND pos > $2 ORDER BY pos LIMIT $3
