-- Whether the list of reports has $1 (primary key).
SELECT EXISTS (SELECT FROM report WHERE report_id = $1)
