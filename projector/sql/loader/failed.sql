-- The build will never be loaded. One that goes meanwhile is left alone, and so is one that the events say was loaded: it is wanted.
-- Index: build_load_pkey, data_build_pkey.
insert into build_load (build, stage, reason, rejected)
select b.build, 'failed', $2, $3 from data_build b where b.build = $1 and b.status = 'loading'
on conflict (build) do update set stage = 'failed', reason = excluded.reason, rejected = excluded.rejected
where build_load.stage = 'loading'
