-- The files are whole. After ranking the outcome of the build tells them; anew they are told by themselves.
-- Index: build_index_pkey, build_load_pkey.
with written as (
    update build_index i
    set state = case l.stage when 'ranked' then 'done' else 'written' end,
        rows_written = l.rows, search_files = $3, worker = null, leased_until = null, fault = null
    from build_load l
    where i.build = $1 and i.worker = $2 and i.state = 'asked' and l.build = i.build and l.stage in ('ranked', 'indexed')
    returning i.build
)
update build_load l set stage = 'indexed', search_files = $3
from written
where l.build = written.build
