-- Accounts that are missing or named otherwise. Index: account_pkey.
select 'account ' || e.account_id
from unnest($1::uuid[], $2::text[]) as e (account_id, name) left join account as a on a.account_id = e.account_id
where a.name is distinct from e.name
limit 100
