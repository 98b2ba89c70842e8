-- Index: api_key_pkey.
insert into api_key (api_key_id, account_id, endpoints, rate_limits, issued_at)
select * from unnest($1::text[], $2::uuid[], $3::jsonb[], $4::jsonb[], $5::timestamptz[])
on conflict (api_key_id) do nothing
