-- Why: an activation that was parked and is applied late must not turn the pointer back. Positions say what came first; clocks may step.

alter table active_build add column pos bigint not null default 0;
comment on column active_build.pos is 'Position of the activation in the shard of data builds.';
-- Whatever is parked came before what was last taken.
update active_build
set pos = coalesce((select max(pos) from shard_checkpoint where topic = 'builds.v1'), 0);
