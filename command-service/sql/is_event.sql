-- Whether the event at a place is the one that a batch of unknown outcome began with (primary key).
SELECT EXISTS (
    SELECT FROM event WHERE shard = $1 AND pos = $2 AND aggregate_id = $3 AND seq = $4 AND request_id = $5
)
