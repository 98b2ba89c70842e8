-- No further try. A build that was not loaded yet fails with it. Index: build_index_pkey, build_load_pkey.
with given_up as (
    update build_index set state = 'failed', worker = null, leased_until = null, fault = $3
    where build = $1 and worker = $2 and state = 'asked'
    returning build
)
update build_load l set stage = 'failed', reason = 'the search files could not be written: ' || $3
from given_up
where l.build = given_up.build and l.stage = 'ranked'
