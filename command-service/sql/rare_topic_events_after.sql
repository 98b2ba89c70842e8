-- A shard's events of one topic after a topic_seq, in order, of any topic but credits.v1 (partial index event_rare_topic; its
-- condition is written out, so that the planner sees it for every $2).
SELECT shard, pos, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = event.shard AND h.first_pos <= event.pos), 1) AS history
FROM event WHERE shard = $1 AND topic = $2 AND topic <> 1 AND topic_seq > $3 ORDER BY topic_seq LIMIT $4
