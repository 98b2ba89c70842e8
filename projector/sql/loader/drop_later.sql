-- The build is taken up again after $2 seconds; until then others go. Index: build_load_pkey.
update build_load set drop_due_at = now() + make_interval(secs => $2) where build = $1
