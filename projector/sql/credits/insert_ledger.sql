-- Index: ledger_pkey.
insert into ledger (shard, pos, contract_id, account_id, kind, credits, balance_after, endpoint, units, request_id, occurred_at)
select * from unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::int[], $10::uuid[], $11::timestamptz[])
