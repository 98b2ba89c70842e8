-- One row a contract: what the batch granted and charged in all, and the balance after its last event. Index: contract_pkey.
update contract c
set credits_granted = c.credits_granted + n.granted,
    credits_charged = c.credits_charged + n.charged,
    balance = n.balance_after
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) as n (contract_id, granted, charged, balance_after)
where c.contract_id = n.contract_id
