-- Why: an event store that went back gives places out again; what is held must be told apart from what stands there now.

alter table shard_checkpoint add column history bigint not null default 1, add column request_id uuid;
comment on column shard_checkpoint.history is 'The history of the store that the event is of.';
comment on column shard_checkpoint.request_id is 'With history and pos: which event it was. Null where that is not known.';
