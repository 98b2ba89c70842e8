-- How many of a batch's events stand where the batch put them (primary key).
SELECT count(*) FROM event AS stored
JOIN unnest($2::bigint[], $3::uuid[], $4::bigint[], $5::uuid[], $6::timestamptz[])
    AS sent (pos, aggregate_id, seq, request_id, occurred_at)
    ON stored.shard = $1 AND stored.pos = sent.pos AND stored.aggregate_id = sent.aggregate_id
    AND stored.seq = sent.seq AND stored.request_id = sent.request_id AND stored.occurred_at = sent.occurred_at
