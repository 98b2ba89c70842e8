-- Index: api_key_pkey.
update api_key k set revoked_at = n.revoked_at
from unnest($1::text[], $2::timestamptz[]) as n (api_key_id, revoked_at)
where k.api_key_id = n.api_key_id and k.revoked_at is null
