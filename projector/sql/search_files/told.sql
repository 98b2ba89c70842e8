-- Index: build_index_pkey.
update build_index set state = 'told', told_at = now() where build = $1
