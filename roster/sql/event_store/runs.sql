-- Events of runs of positions. Index: event_pkey; the LIMIT, which cuts nothing off, keeps it to a range of it for each run.
SELECT e.shard, e.pos, e.topic, e.topic_seq, e.aggregate_id, e.seq, e.event_type, e.payload, e.request_id, e.actor, e.traceparent, e.occurred_at,
       coalesce((SELECT max(h.history) FROM history AS h WHERE h.shard = e.shard AND h.first_pos <= e.pos), 1) AS history
FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS run (shard, first, last)
CROSS JOIN LATERAL (
    SELECT * FROM event WHERE shard = run.shard AND pos BETWEEN run.first AND run.last
    ORDER BY pos LIMIT run.last - run.first + 1
) AS e
