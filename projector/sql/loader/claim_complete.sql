-- A build of which every chunk was marked as loaded when this began, held by the lock of its row. Index: build_load_pkey,
-- build_chunk_pkey.
select l.build, b.kind, b.chunks, b.lines
from build_load l
join data_build b on b.build = l.build and b.status = 'loading'
where l.stage = 'loading' and l.due_at <= now()
  and b.chunks <= (select count(*) from build_chunk c where c.build = l.build and c.state = 'loaded')
order by b.created_at
limit 1
for update of l skip locked
