-- Index: data_build_pkey.
update data_build b set chunks = n.chunks, lines = n.lines
from unnest($1::text[], $2::int[], $3::bigint[]) as n (build, chunks, lines)
where b.build = n.build
