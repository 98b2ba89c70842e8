-- Why: an operator can end a contract before its last day.
alter table contract
    add column ended_at   timestamptz,
    add column end_reason text;
comment on column contract.ended_at is 'It serves no more requests since then; null = it was not ended.';
