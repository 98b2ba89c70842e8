-- A page of the events of an aggregate after a seq, in order (unique index on aggregate_id, seq).
SELECT seq, event_type, payload FROM event WHERE aggregate_id = $1 AND seq > $2 ORDER BY seq LIMIT $3
