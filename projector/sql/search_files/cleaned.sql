-- Index: build_index_pkey.
update build_index set state = 'done' where build = $1
