-- Index: contract_pkey.
SELECT contract_id, credits_granted, credits_charged, balance, ended_at IS NOT NULL FROM contract WHERE contract_id = ANY($1)
