-- One charge or grant a request, for ever: a hold that is settled twice and a grant that is repeated are refused by the store.
SET LOCAL statement_timeout = 0;
CREATE UNIQUE INDEX event_movement ON event (request_id)
    WHERE event_type IN ('contract.credits_charged.v1', 'contract.credits_granted.v1');
COMMENT ON INDEX event_movement IS 'A request moves credits once. Request ids are UUIDv7, so that new ones lie beside each other.';

-- A state in a form that this program does not know is no state: the events are read instead.
ALTER TABLE snapshot ADD COLUMN version integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN snapshot.version IS 'Of the form of `state`; another one is ignored and replaced.';

ALTER TABLE shard_head ADD COLUMN fence bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN shard_head.fence IS 'Raised by whoever reads the head to decide on it, and asked for by each batch: a statement of an earlier reader changes nothing.';
