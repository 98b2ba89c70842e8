-- Where each history after the first one begins. Whole table: 64 rows a restore.
SELECT shard, history, first_pos FROM history
