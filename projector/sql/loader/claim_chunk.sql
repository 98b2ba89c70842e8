-- The next chunk that is due to be scanned (reference date not known yet) or loaded, held by the lock of its row until the transaction
-- ends. Index: build_chunk_waiting.
select c.build, c.chunk, c.object, c.sha256, c.first_line, b.kind, l.reference_date
from build_chunk c
join data_build b on b.build = c.build and b.status = 'loading'
left join build_load l on l.build = c.build
where c.state = 'staged' and c.due_at <= now()
  and case when l.build is null then not c.scanned and b.as_of is null else l.stage = 'loading' end
order by b.created_at, c.chunk
limit 1
for update of c skip locked
