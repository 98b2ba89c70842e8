-- Events at given places. Index: event_pkey.
SELECT e.shard, e.pos, e.topic, e.topic_seq, e.aggregate_id, e.seq, e.event_type, e.payload, e.request_id, e.actor, e.traceparent, e.occurred_at
FROM (SELECT DISTINCT shard, pos FROM unnest($1::smallint[], $2::bigint[]) AS p (shard, pos)) AS wanted
JOIN event AS e USING (shard, pos)
