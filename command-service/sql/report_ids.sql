-- Reports by status, newest page by cursor (index on status, report_id; without a status the primary key).
SELECT report_id FROM report
WHERE ($1::text IS NULL OR status = $1) AND ($2::uuid IS NULL OR report_id > $2)
ORDER BY report_id LIMIT $3
