-- What ages and dates of a build count from, decided once: `--as-of`, else the newest last_seen once every chunk of a sealed build is
-- scanned; never after today. A build that the events say was loaded, and of which nothing is here, has its date from them.
-- Index: data_build_pkey, build_chunk_pkey.
insert into build_load (build, reference_date)
select b.build,
       case when b.status = 'loading' then least(
           coalesce(b.as_of, (select max(c.newest_last_seen) from build_chunk c where c.build = b.build), (now() at time zone 'utc')::date),
           (now() at time zone 'utc')::date
       ) else b.reference_date end
from data_build b
where not exists (select from build_load l where l.build = b.build)
  and case
      when b.status = 'loading' then
          b.as_of is not null
          or b.chunks <= (select count(*) from build_chunk c where c.build = b.build and c.scanned)
      else b.status in ('active', 'loaded', 'retired') and b.reference_date is not null
  end
on conflict (build) do nothing
