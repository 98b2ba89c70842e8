-- The newest snapshot of an aggregate, if it has the form that this program reads (primary key), with its last event (unique index on
-- aggregate_id, seq). One whose event is not there is none: the store went back.
SELECT s.seq, s.state, e.event_type, e.payload
FROM snapshot AS s JOIN event AS e ON e.aggregate_id = s.aggregate_id AND e.seq = s.seq
WHERE s.aggregate_id = $1 AND s.version = $2
