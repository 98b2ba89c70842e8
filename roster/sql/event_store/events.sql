-- Events of a shard in credits.v1, behind $3 and up to $4 (places in the topic), in order. Index: event_pkey.
SELECT shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, traceparent, occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = event.shard AND h.first_pos <= event.pos), 1) AS history
FROM event
WHERE shard = $1 AND topic = $2 AND topic_seq > $3 AND topic_seq <= $4
ORDER BY pos
