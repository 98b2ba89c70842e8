-- What the projector's migrations make and query-service reads, and no more.
create table active_build (kind text primary key, build text not null, schema_name text not null, activated_at timestamptz);
create table data_build (
    build text primary key, kind text not null, status text not null, schema_name text not null,
    created_at timestamptz not null default now(), retired_at timestamptz, search_files jsonb, reference_date date
);
create table build_load (build text primary key, edition int not null default 0);
create table shard_checkpoint (topic text, shard smallint, topic_seq bigint not null, pos bigint not null, primary key (topic, shard));
create table parked_key (topic text, message_key text);
create table ledger (
    shard smallint, pos bigint, contract_id uuid not null, account_id uuid not null, kind text not null, credits bigint not null,
    balance_after bigint not null, endpoint text, units int, request_id uuid not null, occurred_at timestamptz not null,
    primary key (shard, pos)
);
