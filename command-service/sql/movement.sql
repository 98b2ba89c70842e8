-- The charge or grant that a request made (partial unique index on request_id).
SELECT event_type, payload, actor, occurred_at FROM event
WHERE request_id = $1 AND event_type IN ('contract.credits_charged.v1', 'contract.credits_granted.v1')
