-- A new history in every shard (64 rows): from its next position on, or, where $1, from the one after its mark. Fences are raised with
-- it, so that nothing is written any more by who read a head before. A mark behind which nothing is would have what comes there taken
-- for sent. Seconds since 1970, since numbers that the restored store has forgotten must not come again.
WITH number AS (
    SELECT greatest(max(history) + 1, floor(extract(epoch FROM clock_timestamp()))::bigint) AS history FROM shard_head
),
begun AS (
    UPDATE shard_head SET history = number.history, fence = fence + 1
    FROM number
    RETURNING shard_head.shard, shard_head.history, shard_head.pos
),
written AS (
    INSERT INTO history (shard, history, first_pos)
    SELECT b.shard, b.history, 1 + CASE WHEN $1 THEN least(b.pos, p.pos) ELSE b.pos END
    FROM begun AS b JOIN published AS p USING (shard)
),
bounded AS (
    UPDATE published SET pos = begun.pos FROM begun
    WHERE published.shard = begun.shard AND published.pos > begun.pos
)
SELECT history FROM number
