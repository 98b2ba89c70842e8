-- Index: build_load_pkey.
insert into build_load (build, stage) values ($1, 'dropped')
on conflict (build) do update set stage = 'dropped', report = null
