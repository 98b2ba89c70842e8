-- A page of reports, all or those of one status, oldest first, after the report $2 (indexes report_in_order, report_status_in_order).
SELECT report_id FROM report
WHERE ($1::text IS NULL OR status = $1)
  AND (received_at, report_id) > (coalesce((SELECT received_at FROM report WHERE report_id = $2), '-infinity'),
                                  coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid))
ORDER BY received_at, report_id LIMIT $3
