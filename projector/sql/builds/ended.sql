-- Failed or abandoned. Index: data_build_pkey.
update data_build b
set status = n.status, ended_at = n.ended_at, reason = n.reason, rejected = coalesce(n.rejected, b.rejected), rejects_object = coalesce(n.rejects_object, b.rejects_object)
from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::bigint[], $6::text[]) as n (build, status, ended_at, reason, rejected, rejects_object)
where b.build = n.build
