-- Keys that are missing, or are not revoked although an event says so. Index: api_key_pkey.
select 'api_key ' || e.api_key_id
from unnest($1::text[], $2::bool[]) as e (api_key_id, is_revoked) left join api_key as k on k.api_key_id = e.api_key_id
where k.api_key_id is null or e.is_revoked and k.revoked_at is null
limit 100
