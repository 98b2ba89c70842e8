-- A build of which every chunk was marked as loaded when this began, held by the lock of its row; the active ones first, as chunks are
-- claimed. Index: build_load_pkey, build_chunk_pkey.
select l.build, b.kind, b.chunks, b.lines, b.status <> 'loading' as is_known
from build_load l
join data_build b on b.build = l.build and b.status in ('active', 'loading', 'loaded', 'retired')
where l.stage = 'loading' and l.due_at <= now()
  and b.chunks <= (select count(*) from build_chunk c where c.build = l.build and c.state = 'loaded')
order by array_position(array['active', 'loading', 'loaded', 'retired'], b.status), b.created_at
limit 1
for update of l skip locked
