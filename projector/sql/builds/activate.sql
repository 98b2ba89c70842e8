-- The build and, in the same statement, the pointer row, unless an activation at a later position than $3 was applied.
-- Index: data_build_pkey, active_build_pkey.
with activated as (
    update data_build b set status = 'active', activated_at = $2, retired_at = null
    where b.build = $1 and not exists (select from active_build a where a.kind = b.kind and a.pos > $3)
    returning kind, build, schema_name, activated_at
)
insert into active_build (kind, build, schema_name, activated_at, pos)
select kind, build, schema_name, activated_at, $3 from activated
on conflict (kind) do update
set build = excluded.build, schema_name = excluded.schema_name, activated_at = excluded.activated_at, pos = excluded.pos
