-- Events of a shard in a topic, behind $3 and up to $4 (places in the topic), in order, of any topic but credits.v1. Index:
-- event_rare_topic; its condition is written out, so that the planner sees it for every $2.
SELECT shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = event.shard AND h.first_pos <= event.pos), 1) AS history
FROM event
WHERE shard = $1 AND topic = $2 AND topic <> 1 AND topic_seq > $3 AND topic_seq <= $4
ORDER BY topic_seq
