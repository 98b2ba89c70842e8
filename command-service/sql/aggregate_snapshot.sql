-- The newest snapshot of an aggregate, if it has the form that this program reads (primary key).
SELECT seq, state FROM snapshot WHERE aggregate_id = $1 AND version = $2
