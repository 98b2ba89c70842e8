-- The one row, if it still says what was read; another projector may compare at this moment. Nothing waits.
select true from comparison where topic = $1 and shard = $2 and seq = $3 for update skip locked
