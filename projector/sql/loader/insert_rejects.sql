-- Index: build_reject_pkey.
insert into build_reject (build, line, reason, text)
select $1, line, reason, text from unnest($2::bigint[], $3::text[], $4::text[]) as n (line, reason, text)
on conflict (build, line) do nothing
