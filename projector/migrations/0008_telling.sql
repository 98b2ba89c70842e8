-- Why: an outcome that nobody takes is told again for as long as it may still be wanted, and operators see it.

alter table build_load add column tell_attempts int not null default 0;
alter table build_load add column tell_due_at timestamptz not null default now();
alter table build_load add column tell_fault text;
comment on column build_load.tell_attempts is 'How often the outcome was told in vain.';
comment on column build_load.tell_fault is 'Why the last time; null once it was taken.';
