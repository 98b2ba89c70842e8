-- From here on nothing is begun for the build. Index: build_load_pkey.
insert into build_load (build, stage) values ($1, 'dropping')
on conflict (build) do update set stage = 'dropping' where build_load.stage <> 'dropped'
