-- Why: what has been consumed must be written in the transaction of the rows it led to, and shared out between projectors.

create table checkpoint (
    topic       text   not null,
    partition   int    not null,
    next_offset bigint not null,
    primary key (topic, partition)
);
comment on table checkpoint is 'The first offset of each Kafka partition whose event is not in the read models yet. Advanced by compare-and-set.';

create table shard_checkpoint (
    topic     text     not null,
    shard     smallint not null,
    topic_seq bigint   not null,
    pos       bigint   not null,
    primary key (topic, shard)
);
comment on table shard_checkpoint is 'The last event of each shard in each topic that is in the read models.';
comment on column shard_checkpoint.topic_seq is 'Without gaps: the next event taken is this plus one.';

create table projector_instance (
    owner      uuid        primary key,
    expires_at timestamptz not null
);
comment on table projector_instance is 'Projectors that live: what a fair share of the partitions is counted from.';

create table partition_lease (
    topic      text        not null,
    partition  int         not null,
    owner      uuid        not null,
    expires_at timestamptz not null,
    primary key (topic, partition)
);
comment on table partition_lease is 'Who reads a partition. Leases only share the work out; correctness rests on the compare-and-set of checkpoint.';

create table dead_letter (
    id           bigserial   primary key,
    topic        text        not null,
    partition    int         not null,
    shard        smallint,
    pos          bigint,
    topic_seq    bigint,
    message_key  text        not null,
    event_type   text        not null,
    envelope     jsonb       not null,
    error        text        not null,
    attempts     int         not null default 0,
    created_at   timestamptz not null default now()
);
comment on table dead_letter is 'Events that could not be applied, with every later event of the same key, in order of id.';
comment on column dead_letter.shard is 'Null where even the headers of the message could not be read.';
create index dead_letter_key on dead_letter (topic, message_key, id);
