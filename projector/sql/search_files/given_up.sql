-- No further try. A build that was not loaded yet fails with it; one that was keeps its rows, and the files that are named.
-- Index: build_index_pkey, build_load_pkey, data_build_pkey.
with given_up as (
    update build_index set state = 'failed', worker = null, leased_until = null, fault = $3
    where build = $1 and worker = $2 and state = 'asked'
    returning build
)
update build_load l
set stage = case b.status when 'loading' then 'failed' else 'indexed' end,
    reason = 'the search files could not be written: ' || $3
from given_up, data_build b
where l.build = given_up.build and l.stage = 'ranked' and b.build = l.build
