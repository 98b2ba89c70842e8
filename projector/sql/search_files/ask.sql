-- To be written anew, unless they are being written already. Index: build_index_pkey.
insert into build_index (build) values ($1)
on conflict (build) do update
set state = 'asked', asked_at = now(), attempts = 0, due_at = now(), rows_written = 0, told_at = null, fault = null
where build_index.state in ('told', 'done', 'failed')
