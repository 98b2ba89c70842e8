-- The newest snapshot of an aggregate (primary key).
SELECT seq, state FROM snapshot WHERE aggregate_id = $1
