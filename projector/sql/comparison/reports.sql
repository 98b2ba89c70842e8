-- Steps of reports that are missing or others, and reports whose status is not their newest step's. Index: report_history_pkey, report_pkey.
select 'report ' || e.report_id || ' step ' || e.seq
from unnest($1::uuid[], $2::bigint[], $3::text[]) as e (report_id, seq, status)
left join report_history as h on h.report_id = e.report_id and h.seq = e.seq
left join report as r on r.report_id = e.report_id
left join lateral (
    select n.status from report_history as n where n.report_id = e.report_id order by n.seq desc limit 1
) as newest on true
where h.status is distinct from e.status or r.status is distinct from newest.status
limit 100
