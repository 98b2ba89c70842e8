-- Why: a step of loading that fails is tried again with pauses, a limited number of times; then its build fails.

alter table build_chunk add column attempts int not null default 0;
alter table build_chunk add column due_at timestamptz not null default now();
alter table build_chunk add column fault text;
comment on column build_chunk.attempts is 'Tries to scan or to load it that failed.';
comment on column build_chunk.fault is 'What the last of them said; never a value of a record.';

alter table build_load add column attempts int not null default 0;
alter table build_load add column due_at timestamptz not null default now();
alter table build_load add column fault text;
comment on column build_load.attempts is 'Tries to rank it that failed.';
comment on column build_load.fault is 'What the last of them said; never a value of a record.';
