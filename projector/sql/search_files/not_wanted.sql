-- Index: build_index_pkey.
update build_index set state = 'failed', fault = $2 where build = $1
