-- Index: build_load_pkey.
update build_load set reported_at = now(), rejects_object = coalesce($2, rejects_object), tell_fault = null where build = $1
