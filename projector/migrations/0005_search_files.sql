-- Why: a loaded build has search files, written by a step of their own after ranking and anew when an operator asks.

alter table data_build add column search_files jsonb;
comment on column data_build.search_files is 'Where its search files lie: manifest, sha256, files, bytes. Null for builds without any.';

alter table build_load add column search_files jsonb;
alter table build_load drop constraint build_load_stage_check;
-- What was told before there were search files has gone as far as it can; its files are made when somebody asks.
update build_load set stage = 'indexed' where stage = 'ranked' and reported_at is not null;
alter table build_load add constraint build_load_stage_check
    check (stage in ('loading', 'ranked', 'indexed', 'failed', 'dropping', 'dropped'));
comment on column build_load.stage is 'loading: chunks come in; ranked: tables are final, search files are to be written; indexed: all is there; dropping: its time is over.';

create table build_index (
    build        text        primary key,
    state        text        not null default 'asked' check (state in ('asked', 'written', 'told', 'done', 'failed')),
    asked_at     timestamptz not null default now(),
    attempts     int         not null default 0,
    due_at       timestamptz not null default now(),
    worker       uuid,
    leased_until timestamptz,
    rows_written bigint      not null default 0,
    search_files jsonb,
    told_at      timestamptz,
    fault        text
);
comment on table build_index is 'Writing the search files of a build, after ranking or because an operator asked. Written by the loader alone.';
comment on column build_index.state is 'asked: to be written; written: command-service is to be told; told: older files are to be removed; done; failed: given up.';
comment on column build_index.attempts is 'Tries that were begun and not given back by an orderly stop.';
comment on column build_index.worker is 'Who writes, until leased_until passes without renewal: then another one may begin anew.';
comment on column build_index.search_files is 'The newest that were written whole, also while they are written anew.';

insert into build_index (build) select build from build_load where stage = 'ranked';
