-- What the projector's migrations make and query-service reads, and no more.
create table active_build (kind text primary key, build text not null, schema_name text not null, activated_at timestamptz);
create table data_build (
    build text primary key, kind text not null, status text not null, schema_name text not null,
    created_at timestamptz not null default now(), retired_at timestamptz, search_files jsonb, reference_date date
);
