-- The first event of a shard that is not where counting from 1 puts it. Index: event_pkey.
SELECT pos, expected_pos, topic, topic_seq, expected_topic_seq
FROM (
    SELECT pos, topic, topic_seq,
           row_number() OVER (ORDER BY pos) AS expected_pos,
           row_number() OVER (PARTITION BY topic ORDER BY pos) AS expected_topic_seq
    FROM event WHERE shard = $1
) AS counted
WHERE pos <> expected_pos OR topic_seq <> expected_topic_seq
ORDER BY pos
LIMIT 1
