-- Where one shard stands (primary key). Reading it raises the fence: what was sent before this statement is not carried out after.
UPDATE shard_head SET fence = fence + 1 WHERE shard = $1 RETURNING pos, topic_seqs, fence, history
