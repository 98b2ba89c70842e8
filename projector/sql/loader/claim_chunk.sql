-- The next chunk that is due to be scanned (reference date not known yet) or loaded, held by the lock of its row until the transaction
-- ends. A build that the events say was loaded is loaded again where its rows are missing: the active ones before all others.
-- Index: build_chunk_waiting.
select c.build, c.chunk, c.object, c.sha256, c.first_line, b.kind, l.reference_date
from build_chunk c
join data_build b on b.build = c.build
left join build_load l on l.build = c.build
where c.state = 'staged' and c.due_at <= now()
  and case
      when l.build is null then b.status = 'loading' and not c.scanned and b.as_of is null
      else l.stage = 'loading' and b.status in ('active', 'loading', 'loaded', 'retired')
  end
order by array_position(array['active', 'loading', 'loaded', 'retired'], b.status), b.created_at, c.chunk
limit 1
for update of c skip locked
