-- Index: report_pkey.
insert into report (report_id, subject_type, service_id, issue_type, issue_level, field, data_build, record_last_seen, request_id, reporter, status, received_at, updated_at)
select report_id, subject_type, service_id, issue_type, issue_level, field, data_build, record_last_seen, request_id, reporter, 'received', received_at, received_at
from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[], $11::timestamptz[])
    as n (report_id, subject_type, service_id, issue_type, issue_level, field, data_build, record_last_seen, request_id, reporter, received_at)
on conflict (report_id) do nothing
