-- One batch of one shard: the compare-and-set on position and fence of shard_head (primary key) and everything that goes with it. The
-- head is looked up by the values that it must have, so that versions which an open snapshot keeps alive cost nothing.
-- No row comes back when another owner has written: then nothing was written here.
WITH head AS (
    UPDATE shard_head SET pos = $4, topic_seqs = $5
    WHERE shard = $1 AND pos = $3 AND fence = $2
    RETURNING shard, pos
),
new_event AS (
    INSERT INTO event (shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload,
                       request_id, actor, traceparent, occurred_at)
    SELECT head.shard, e.pos, e.topic, e.topic_seq, e.aggregate_id, e.seq, e.event_type, e.payload::jsonb,
           e.request_id, e.actor, e.traceparent, e.occurred_at
    FROM head, unnest($6::bigint[], $7::smallint[], $8::bigint[], $9::uuid[], $10::bigint[], $11::text[],
                      $12::text[], $13::uuid[], $14::text[], $15::text[], $16::timestamptz[])
        AS e (pos, topic, topic_seq, aggregate_id, seq, event_type, payload,
              request_id, actor, traceparent, occurred_at)
),
new_contract AS (
    INSERT INTO account_contract (account_id, contract_id)
    SELECT c.account_id, c.contract_id FROM head, unnest($20::uuid[], $21::uuid[]) AS c (contract_id, account_id)
),
going_on AS (
    SELECT c.contract_id FROM unnest($17::uuid[], $18::bigint[], $19::bigint[]) AS c (contract_id, seq, balance)
    WHERE c.balance = (SELECT balance_after(e.event_type, e.payload) FROM event AS e WHERE e.aggregate_id = c.contract_id AND e.seq = c.seq)
),
new_idempotency AS (
    INSERT INTO idempotency (account_id, endpoint, key_hash, request_hash, receipt, created_at)
    -- By the clock of the store: no owner's own decides how long a name lives.
    SELECT i.account_id, i.endpoint, i.key_hash, i.request_hash, i.receipt::jsonb, now()
    FROM head, unnest($22::uuid[], $23::text[], $24::text[], $25::text[], $26::text[])
        AS i (account_id, endpoint, key_hash, request_hash, receipt)
    -- A row gives way only when its time is over. A live one makes the receipt null, which no row may have: then the whole
    -- statement is refused, whatever anybody's memory believed.
    ON CONFLICT (account_id, endpoint, key_hash) DO UPDATE
        SET request_hash = excluded.request_hash,
            receipt = CASE WHEN idempotency.created_at <= excluded.created_at - $27::bigint * interval '1 millisecond'
                           THEN excluded.receipt END,
            created_at = excluded.created_at
),
new_row AS (
    SELECT r.kind, r.body::jsonb AS body
    FROM head, unnest($28::text[], $29::text[]) AS r (kind, body)
),
new_account AS (
    INSERT INTO account (account_id, shard, name, opened_at)
    SELECT (body->>'account_id')::uuid, head.shard, body->>'name', (body->>'opened_at')::timestamptz
    FROM new_row, head WHERE kind = 'account'
),
new_api_key AS (
    INSERT INTO api_key (api_key_id, account_id, secret_hmac)
    SELECT body->>'api_key_id', (body->>'account_id')::uuid, decode(body->>'secret_hmac', 'hex')
    FROM new_row WHERE kind = 'api_key'
),
new_report AS (
    INSERT INTO report (report_id, status, received_at, details)
    SELECT (body->>'report_id')::uuid, 'received', (body->>'received_at')::timestamptz, body->'details'
    FROM new_row WHERE kind = 'report'
),
new_report_status AS (
    UPDATE report SET status = body->>'status'
    FROM new_row WHERE kind = 'report_status' AND report_id = (body->>'report_id')::uuid
),
new_build AS (
    INSERT INTO data_build (build, created_at)
    SELECT body->>'build', (body->>'created_at')::timestamptz
    FROM new_row WHERE kind = 'build'
),
new_active_build AS (
    INSERT INTO active_build (kind, build)
    SELECT body->>'kind', body->>'build'
    FROM new_row WHERE kind = 'active_build'
    ON CONFLICT (kind) DO UPDATE SET build = excluded.build
)
-- A contract whose last event did not leave what memory believes: a division by zero refuses the whole statement.
SELECT pos / (CASE WHEN (SELECT count(*) FROM going_on) = cardinality($17) THEN 1 ELSE 0 END)
FROM head
