-- For operators: builds that answer, did, or may, and whose records were read by an earlier edition than $1; the active ones first. What is being
-- loaded again has no edition yet. A few rows. Index: build_load_pkey.
select b.build, b.kind, b.status, coalesce(l.edition, 0) as edition
from data_build b
left join build_load l on l.build = b.build
where b.status in ('active', 'loaded', 'retired') and coalesce(l.edition, 0) < $1 and l.stage is distinct from 'loading'
order by array_position(array['active', 'loaded', 'retired'], b.status), b.build
limit 100
