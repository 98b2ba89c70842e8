-- Owner, head and publication mark of every shard (64 rows each).
SELECT l.shard, CASE WHEN l.expires_at > now() THEN l.address END AS owner, h.pos, p.pos AS published
FROM shard_lease l JOIN shard_head h USING (shard) JOIN published p USING (shard)
ORDER BY l.shard
