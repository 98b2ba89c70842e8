-- The newest snapshot of an aggregate, if it has the form that this program reads (primary key); whether its last event is there (unique
-- index on aggregate_id, seq), which it is not when the store went back; and what that one left of a contract.
SELECT s.seq, s.state, e.seq IS NOT NULL, balance_after(e.event_type, e.payload)
FROM snapshot AS s LEFT JOIN event AS e ON e.aggregate_id = s.aggregate_id AND e.seq = s.seq
WHERE s.aggregate_id = $1 AND s.version = $2
