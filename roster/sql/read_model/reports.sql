-- Reports with every status that they had, in order. Index: report_pkey, report_history_pkey.
SELECT r.report_id, r.status,
       array(SELECT h.status FROM report_history AS h WHERE h.report_id = r.report_id ORDER BY h.seq) AS steps
FROM report AS r
WHERE r.report_id = ANY($1)
