-- Contracts whose row does not follow from their ledger, and those that an event ended and whose row does not say so. Indexes: contract_pkey,
-- ledger_contract.
select 'contract ' || asked.contract_id
from unnest($1::uuid[], $2::boolean[]) as asked (contract_id, ended)
left join contract as c on c.contract_id = asked.contract_id
left join lateral (
    select l.balance_after from ledger as l where l.contract_id = asked.contract_id order by l.pos desc limit 1
) as newest on true
where c.balance is distinct from newest.balance_after
    or c.credits_granted - c.credits_charged is distinct from c.balance
    or asked.ended and c.ended_at is null
limit 100
