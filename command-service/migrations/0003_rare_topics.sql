-- A part of a topic is asked for by its topic_seq (a gap, reconciliation); of a topic that is rare in its shard that was a walk over the whole shard.
SET LOCAL statement_timeout = 0;
CREATE INDEX event_rare_topic ON event (shard, topic, topic_seq) WHERE topic <> 1;
COMMENT ON INDEX event_rare_topic IS 'Topics other than credits.v1 (1): charges are nearly all events, stand close together, and do not pay for it.';
