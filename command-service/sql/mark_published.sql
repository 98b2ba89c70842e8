-- Moves publication marks forward, never back, and never past what is there: a store that went back does not have all that was sent
-- (primary keys).
UPDATE published SET pos = mark.pos
FROM unnest($1::smallint[], $2::bigint[]) AS mark (shard, pos) JOIN shard_head USING (shard)
WHERE published.shard = mark.shard AND published.pos < mark.pos AND mark.pos <= shard_head.pos
