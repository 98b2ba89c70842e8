-- Why: data builds are staged by events but loaded by a worker; each keeps its own rows, so that neither waits for the other.

create table data_build (
    build          text        primary key,
    kind           text        not null check (kind in ('person', 'company')),
    status         text        not null,
    schema_name    text        not null,
    rows           bigint      not null default 0,
    rejected       bigint      not null default 0,
    rejects_object text,
    reference_date date,
    as_of          date,
    created_at     timestamptz not null,
    activated_at   timestamptz,
    retired_at     timestamptz,
    ended_at       timestamptz,
    reason         text,
    report         jsonb,
    chunks         int,
    lines          bigint
);
comment on table data_build is 'What the events say. Written by the projection alone.';
comment on column data_build.chunks is 'Null until the build is sealed.';
comment on column data_build.ended_at is 'When it was abandoned or failed.';
create index data_build_kind on data_build (kind, activated_at desc);

create table build_chunk (
    build            text    not null,
    chunk            int     not null,
    object           text    not null,
    sha256           text    not null,
    rows             bigint  not null,
    first_line       bigint  not null,
    state            text    not null default 'staged' check (state in ('staged', 'loaded')),
    scanned          boolean not null default false,
    newest_last_seen date,
    loaded_rows      bigint  not null default 0,
    report           jsonb,
    primary key (build, chunk)
);
comment on column build_chunk.scanned is 'Whether newest_last_seen is known: the reference date of a build without --as-of needs it of every chunk.';
create index build_chunk_waiting on build_chunk (build, chunk) where state = 'staged';

create table build_load (
    build          text        primary key,
    stage          text        not null default 'loading' check (stage in ('loading', 'ranked', 'failed', 'dropped')),
    reference_date date,
    rows           bigint      not null default 0,
    rejected       bigint      not null default 0,
    rejects_object text,
    report         jsonb,
    reason         text,
    reported_at    timestamptz
);
comment on table build_load is 'How far the loader is. Written by the loader alone.';
comment on column build_load.reported_at is 'When command-service took the outcome.';

create table build_reject (
    build  text   not null,
    line   bigint not null,
    reason text   not null,
    text   text,
    primary key (build, line)
);
comment on column build_reject.text is 'Null for a line that was read well and then found to repeat an id.';

create table active_build (
    kind         text        primary key,
    build        text        not null,
    schema_name  text        not null,
    activated_at timestamptz not null
);
comment on table active_build is 'The pointer rows: which build answers requests, one row a kind.';
