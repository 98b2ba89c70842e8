-- Rows of a shard's ledger behind $2 and up to $3 that are not what the events there say. What waits behind a dead letter is not missed.
-- Index: ledger_pkey.
with expected as (
    select * from unnest($4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::bigint[], $9::bigint[], $10::uuid[], $11::bool[])
        as e (pos, contract_id, account_id, kind, credits, balance_after, request_id, is_parked)
),
found as (
    select pos, contract_id, account_id, kind, credits, balance_after, request_id
    from ledger where shard = $1 and pos > $2 and pos <= $3
)
select 'ledger row ' || $1 || '-' || coalesce(e.pos, f.pos)
from expected as e full join found as f on f.pos = e.pos
where (e.contract_id, e.account_id, e.kind, e.credits, e.balance_after, e.request_id)
      is distinct from (f.contract_id, f.account_id, f.kind, f.credits, f.balance_after, f.request_id)
  and not (f.pos is null and e.is_parked)
order by coalesce(e.pos, f.pos) limit 100
