-- Index: build_index_pkey.
update build_index set state = 'told', told_at = now(), fault = null where build = $1
