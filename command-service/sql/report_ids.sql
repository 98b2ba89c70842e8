-- A page of reports, oldest first, after the report $1 (index report_in_order).
SELECT report_id FROM report
WHERE (received_at, report_id) > (coalesce((SELECT received_at FROM report WHERE report_id = $1), '-infinity'),
                                  coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid))
ORDER BY received_at, report_id LIMIT $2
