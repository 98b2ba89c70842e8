-- One row a report: the last status of the batch. Index: report_pkey.
update report r set status = n.status, updated_at = n.at
from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as n (report_id, status, at)
where r.report_id = n.report_id
