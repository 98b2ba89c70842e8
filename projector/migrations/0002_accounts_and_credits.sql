-- Why: accounts, keys, contracts and the ledger are read (and reconciled) without touching the event store.

create table account (
    account_id uuid        primary key,
    name       text        not null,
    opened_at  timestamptz not null
);

create table api_key (
    api_key_id  text        primary key,
    account_id  uuid        not null,
    endpoints   jsonb       not null,
    rate_limits jsonb       not null,
    issued_at   timestamptz not null,
    revoked_at  timestamptz
);
comment on table api_key is 'Public parts only: neither a key nor its hash ever reaches an event.';
create index api_key_account on api_key (account_id);

create table contract (
    contract_id     uuid        primary key,
    account_id      uuid        not null,
    endpoints       jsonb       not null,
    credits_granted bigint      not null,
    credits_charged bigint      not null default 0,
    balance         bigint      not null,
    starts_on       date        not null,
    expires_on      date,
    prices          jsonb       not null,
    created_at      timestamptz not null
);
comment on column contract.balance is 'As the newest event said; credits_granted - credits_charged proves it.';
create index contract_account on contract (account_id);

create table ledger (
    shard         smallint    not null,
    pos           bigint      not null,
    contract_id   uuid        not null,
    account_id    uuid        not null,
    kind          text        not null check (kind in ('grant', 'charge')),
    credits       bigint      not null,
    balance_after bigint      not null,
    endpoint      text,
    units         int,
    request_id    uuid        not null,
    occurred_at   timestamptz not null,
    primary key (shard, pos)
);
comment on column ledger.credits is 'Of a charge: the amount taken, positive or zero.';
create index ledger_account on ledger (account_id, occurred_at, shard, pos);
create index ledger_contract on ledger (contract_id, pos);
