-- Builds that the events say were loaded, and that were taken up here before that was known: the date that they were loaded with holds as
-- long as no chunk is loaded, and what failed meanwhile is taken up again. A few rows. Index: data_build_pkey, build_chunk_pkey.
update build_load l
set stage = 'loading', reason = null, reported_at = null, due_at = now(),
    reference_date = case
        when exists (select from build_chunk c where c.build = l.build and c.state = 'loaded') then l.reference_date
        else coalesce(b.reference_date, l.reference_date)
    end
from data_build b
where b.build = l.build and b.status in ('active', 'loaded', 'retired')
  and (
      l.stage = 'failed'
      or (
          l.stage = 'loading' and b.reference_date <> l.reference_date
          and not exists (select from build_chunk c where c.build = l.build and c.state = 'loaded')
      )
  )
