-- What a contract holds stands in its last event and nowhere else: a row beside it was looked up, written anew and put into an index with
-- every charge, two fifths of what Postgres did for charges on many contracts.
SET LOCAL statement_timeout = 0;

CREATE FUNCTION balance_after(event_type text, payload jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE event_type
        WHEN 'contract.credits_charged.v1' THEN (payload->>'balance_after')::bigint
        WHEN 'contract.credits_granted.v1' THEN (payload->>'balance_after')::bigint
        WHEN 'contract.created.v1' THEN (payload->>'credits')::bigint
    END;
COMMENT ON FUNCTION balance_after IS 'Credits of the contract right after one of its events; null for other events.';

-- Whatever is done to a contract leaves a balance: the next event goes on from it. Older events are not read again.
ALTER TABLE event ADD CONSTRAINT event_balance
    CHECK (event_type NOT LIKE 'contract.%' OR coalesce(balance_after(event_type, payload), -1) >= 0) NOT VALID;
COMMENT ON CONSTRAINT event_balance ON event IS 'The tripwire below the decision in memory.';

-- Last, in the order in which batches lock both tables.
DROP TABLE contract_balance;
