-- Where each history begins (whole table: 64 rows a restore).
SELECT shard, history, first_pos FROM history ORDER BY shard, history
