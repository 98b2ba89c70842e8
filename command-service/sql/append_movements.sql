-- Batches of several shards that open no contract and write no small row, all of them or none: where one head does not stand where its
-- batch begins, or the last event of one contract did not leave what memory believes, a division by zero refuses the whole statement.
-- Heads are looked up by the values that they must have, as in append_batch.sql; the limit, which cuts nothing off, keeps the plan to
-- that: without it it reads all versions of a small table. Shards come in order: two rivals lock them in the same one.
WITH head AS (
    UPDATE shard_head SET pos = b.after, topic_seqs = b.topic_seqs::bigint[]
    FROM (SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
          AS b (shard, fence, before, after, topic_seqs) LIMIT cardinality($1)) AS b
    WHERE shard_head.shard = b.shard AND shard_head.pos = b.before AND shard_head.fence = b.fence
    RETURNING shard_head.shard
),
new_event AS (
    INSERT INTO event (shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload,
                       request_id, actor, traceparent, occurred_at)
    SELECT e.shard, e.pos, e.topic, e.topic_seq, e.aggregate_id, e.seq, e.event_type, e.payload::jsonb,
           e.request_id, e.actor, e.traceparent, e.occurred_at
    FROM unnest($6::smallint[], $7::bigint[], $8::smallint[], $9::bigint[], $10::uuid[], $11::bigint[], $12::text[],
                $13::text[], $14::uuid[], $15::text[], $16::text[], $17::timestamptz[])
        AS e (shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload,
              request_id, actor, traceparent, occurred_at)
),
going_on AS (
    SELECT c.contract_id FROM unnest($18::uuid[], $19::bigint[], $20::bigint[]) AS c (contract_id, seq, balance)
    WHERE c.balance = (SELECT balance_after(e.event_type, e.payload) FROM event AS e WHERE e.aggregate_id = c.contract_id AND e.seq = c.seq)
),
new_idempotency AS (
    INSERT INTO idempotency (account_id, endpoint, key_hash, request_hash, receipt, created_at)
    -- As in append_batch.sql: a live row makes the receipt null, which no row may have.
    SELECT i.account_id, i.endpoint, i.key_hash, i.request_hash, i.receipt::jsonb, now()
    FROM unnest($21::uuid[], $22::text[], $23::text[], $24::text[], $25::text[])
        AS i (account_id, endpoint, key_hash, request_hash, receipt)
    ON CONFLICT (account_id, endpoint, key_hash) DO UPDATE
        SET request_hash = excluded.request_hash,
            receipt = CASE WHEN idempotency.created_at <= excluded.created_at - $26::bigint * interval '1 millisecond'
                           THEN excluded.receipt END,
            created_at = excluded.created_at
)
SELECT 1 / (CASE WHEN (SELECT count(*) FROM head) = cardinality($1) AND (SELECT count(*) FROM going_on) = cardinality($18)
            THEN 1 ELSE 0 END)::bigint
