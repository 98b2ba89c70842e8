-- Index: build_load_pkey.
update build_load set reported_at = now(), rejects_object = $2 where build = $1
