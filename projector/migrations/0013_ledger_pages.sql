-- Why: customers page through their account's ledger, newest first. An account's rows are of one shard, whose order is that of pos; times
-- may step back where the shard changes its owner.

drop index ledger_account;
create index ledger_account on ledger (account_id, pos);
