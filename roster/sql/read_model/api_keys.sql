-- Index: api_key_pkey.
SELECT api_key_id, revoked_at IS NOT NULL FROM api_key WHERE api_key_id = ANY($1)
