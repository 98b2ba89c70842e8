-- Extends the leases of this process. Those that it does not hold ($3), although they are its own, it takes anew (64 rows).
UPDATE shard_lease SET expires_at = now() + make_interval(secs => $2),
    number = CASE WHEN shard = ANY($3) THEN number ELSE number + 1 END
WHERE owner = $1 RETURNING shard, number
