-- Index: report_history_pkey.
insert into report_history (report_id, seq, status, at, actor, reason, build)
select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[])
on conflict (report_id, seq) do nothing
