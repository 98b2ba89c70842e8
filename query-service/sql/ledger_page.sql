-- Rows of an account's ledger before a place, newest first. All of them are of one shard. Index: ledger_account.
select pos, contract_id, kind, credits, balance_after, endpoint, units, request_id, occurred_at
from ledger
where account_id = $1 and pos < $2
order by pos desc
limit $3
