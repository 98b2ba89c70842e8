-- Keeps the newest snapshot of an aggregate (primary key). One of another form gives way.
INSERT INTO snapshot (aggregate_id, seq, state, version) VALUES ($1, $2, $3, $4)
ON CONFLICT (aggregate_id) DO UPDATE SET seq = excluded.seq, state = excluded.state, version = excluded.version
WHERE snapshot.seq < excluded.seq OR snapshot.version <> excluded.version
