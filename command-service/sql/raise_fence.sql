-- No statement of a batch that was sent before is carried out after this one (primary key).
UPDATE shard_head SET fence = fence + 1 WHERE shard = $1
