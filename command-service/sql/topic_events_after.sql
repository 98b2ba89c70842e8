-- A shard's events of credits.v1 after a topic_seq, in order. Walks the primary key: topic_seq never exceeds pos, and between the
-- two lie only the shard's events of other topics, which are few.
SELECT shard, pos, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = event.shard AND h.first_pos <= event.pos), 1) AS history
FROM event WHERE shard = $1 AND pos > $3 AND topic = $2 AND topic_seq > $3 ORDER BY pos LIMIT $4
