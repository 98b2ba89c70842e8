-- Index: contract_pkey.
update contract c
set ended_at = n.ended_at, end_reason = n.reason
from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as n (contract_id, ended_at, reason)
where c.contract_id = n.contract_id
