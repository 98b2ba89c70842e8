-- Index: account_pkey.
insert into account (account_id, name, opened_at)
select * from unnest($1::uuid[], $2::text[], $3::timestamptz[])
on conflict (account_id) do nothing
