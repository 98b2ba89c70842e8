-- The build and, in the same statement, the pointer row. Index: data_build_pkey, active_build_pkey.
with activated as (
    update data_build set status = 'active', activated_at = $2, retired_at = null where build = $1
    returning kind, build, schema_name, activated_at
)
insert into active_build (kind, build, schema_name, activated_at)
select kind, build, schema_name, activated_at from activated
on conflict (kind) do update
set build = excluded.build, schema_name = excluded.schema_name, activated_at = excluded.activated_at
