-- Command-service took it that the build goes: from here on nothing is begun for it. Index: build_load_pkey.
insert into build_load (build, stage, drop_told_at) values ($1, 'dropping', now())
on conflict (build) do update
set stage = case build_load.stage when 'dropped' then 'dropped' else 'dropping' end, drop_told_at = now()
