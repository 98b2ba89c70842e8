-- Values of one report; null once erased (primary key).
SELECT details FROM report WHERE report_id = $1
