-- Keeps the newest snapshot of an aggregate (primary key).
INSERT INTO snapshot (aggregate_id, seq, state) VALUES ($1, $2, $3)
ON CONFLICT (aggregate_id) DO UPDATE SET seq = excluded.seq, state = excluded.state
WHERE snapshot.seq < excluded.seq
