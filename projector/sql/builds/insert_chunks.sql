-- Staging the same chunk again changes nothing. Index: build_chunk_pkey.
insert into build_chunk (build, chunk, object, sha256, rows, first_line)
select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
on conflict (build, chunk) do nothing
