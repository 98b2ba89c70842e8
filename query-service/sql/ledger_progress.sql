-- How far a shard's ledger is read, and the contracts whose rows wait behind an event that cannot be applied.
-- Index: shard_checkpoint_pkey; parked_key has few rows.
select
    coalesce(max(topic_seq), 0),
    coalesce(max(pos), 0),
    array(select message_key from parked_key where topic = $1)
from shard_checkpoint where topic = $1 and shard = $2
