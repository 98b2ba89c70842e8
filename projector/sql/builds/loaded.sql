-- Index: data_build_pkey.
update data_build b
set status = 'loaded', rows = n.rows, rejected = n.rejected, rejects_object = n.rejects_object, reference_date = n.reference_date, report = n.report, search_files = n.search_files
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::date[], $6::jsonb[], $7::jsonb[]) as n (build, rows, rejected, rejects_object, reference_date, report, search_files)
where b.build = n.build
