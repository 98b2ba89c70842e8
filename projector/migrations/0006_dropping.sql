-- Why: command-service must know that a build goes before anything of it is removed, so that nobody activates what is gone.

alter table build_load add column drop_told_at timestamptz;
alter table build_load add column drop_due_at timestamptz;
comment on column build_load.drop_told_at is 'When command-service took it that the build goes. Nothing is removed before. Null for what older versions dropped: it is told late.';
comment on column build_load.drop_due_at is 'When command-service is asked again after it refused.';
