-- An aggregate of a shard whose events are not numbered 1, 2, 3 … Index: event_pkey.
SELECT aggregate_id, count(*), max(seq) FROM event WHERE shard = $1
GROUP BY aggregate_id
HAVING count(*) <> max(seq) OR min(seq) <> 1
ORDER BY aggregate_id
LIMIT 1
