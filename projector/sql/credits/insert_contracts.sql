-- Index: contract_pkey.
insert into contract (contract_id, account_id, endpoints, credits_granted, balance, starts_on, expires_on, prices, created_at)
select contract_id, account_id, endpoints, credits, credits, starts_on, expires_on, prices, created_at
from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::bigint[], $5::date[], $6::date[], $7::jsonb[], $8::timestamptz[])
    as n (contract_id, account_id, endpoints, credits, starts_on, expires_on, prices, created_at)
on conflict (contract_id) do nothing
