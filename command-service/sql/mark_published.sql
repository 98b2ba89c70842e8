-- Moves publication marks forward, never back (primary key).
UPDATE published SET pos = mark.pos
FROM unnest($1::smallint[], $2::bigint[]) AS mark (shard, pos)
WHERE published.shard = mark.shard AND published.pos < mark.pos
