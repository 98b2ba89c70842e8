-- A build that goes meanwhile is left alone. Index: build_load_pkey.
insert into build_load (build, stage, reason, rejected) values ($1, 'failed', $2, $3)
on conflict (build) do update set stage = 'failed', reason = excluded.reason, rejected = excluded.rejected
where build_load.stage = 'loading'
