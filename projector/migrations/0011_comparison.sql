-- Why: read models are compared with the event store all the time, a little at a time; where it stands must outlive the process.

create table comparison (
    is_only          bool        primary key default true check (is_only),
    topic            text        not null default '',
    shard            smallint    not null default 0,
    seq              bigint      not null default 0,
    pos              bigint      not null default 0,
    differences      bigint      not null default 0,
    last_differences bigint      not null default 0,
    ended_at         timestamptz not null default now()
);
comment on table comparison is 'The one row: up to which event the read models were compared in this round. Locked by the projector that compares.';
comment on column comparison.topic is 'Empty before the first stream.';
comment on column comparison.differences is 'Found in this round so far.';
comment on column comparison.last_differences is 'Found in the last whole round.';
comment on column comparison.ended_at is 'When the last whole round ended; before the first one, when the table was made.';
insert into comparison default values;
