-- Events of a shard by topic. Index: event_pkey.
SELECT topic, count(*), max(pos) FROM event WHERE shard = $1 GROUP BY topic
