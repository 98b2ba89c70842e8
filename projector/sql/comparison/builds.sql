-- Data builds that are missing or of another kind. Index: data_build_pkey.
select 'data_build ' || e.build
from unnest($1::text[], $2::text[]) as e (build, kind) left join data_build as d on d.build = e.build
where d.kind is distinct from e.kind
limit 100
