-- `--as-of`, else the newest last_seen once every chunk of a sealed build is scanned; never after today. Decided once.
-- Index: data_build_pkey, build_chunk_pkey.
insert into build_load (build, reference_date)
select b.build,
       least(
           coalesce(b.as_of, (select max(c.newest_last_seen) from build_chunk c where c.build = b.build), (now() at time zone 'utc')::date),
           (now() at time zone 'utc')::date
       )
from data_build b
where b.status = 'loading'
  and not exists (select from build_load l where l.build = b.build)
  and (
      b.as_of is not null
      or b.chunks <= (select count(*) from build_chunk c where c.build = b.build and c.scanned)
  )
on conflict (build) do nothing
