-- As report_ids.sql, those of the status $3 (index report_status_in_order).
SELECT report_id FROM report
WHERE status = $3
  AND (received_at, report_id) > (coalesce((SELECT received_at FROM report WHERE report_id = $1), '-infinity'),
                                  coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid))
ORDER BY received_at, report_id LIMIT $2
