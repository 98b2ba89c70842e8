-- Tombstones that shards owe, oldest first (the whole table: it holds what is owed alone).
SELECT report_id, erased_at FROM owed_tombstone WHERE shard = ANY($1) ORDER BY erased_at, report_id LIMIT $2
