-- A shard's events of one topic after a topic_seq, in order. Walks the primary key: topic_seq never exceeds pos.
SELECT shard, pos, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at
FROM event WHERE shard = $1 AND pos > $3 AND topic = $2 AND topic_seq > $3 ORDER BY pos LIMIT $4
