-- The files are whole. After ranking the outcome of the build tells them, if nobody knows one yet; else they are told by themselves.
-- Index: build_index_pkey, build_load_pkey, data_build_pkey.
with written as (
    update build_index i
    set state = case when l.stage = 'ranked' and b.status = 'loading' then 'done' else 'written' end,
        rows_written = l.rows, search_files = $3, worker = null, leased_until = null, fault = null
    from build_load l, data_build b
    where i.build = $1 and i.worker = $2 and i.state = 'asked' and l.build = i.build and l.stage in ('ranked', 'indexed')
      and b.build = i.build
    returning i.build
)
update build_load l set stage = 'indexed', search_files = $3
from written
where l.build = written.build
