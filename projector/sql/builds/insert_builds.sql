-- Index: data_build_pkey.
insert into data_build (build, kind, status, schema_name, as_of, created_at)
select build, kind, 'loading', schema_name, as_of, created_at
from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::timestamptz[]) as n (build, kind, schema_name, as_of, created_at)
on conflict (build) do nothing
