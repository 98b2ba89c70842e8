-- Command-service is asked again after $2 seconds. Index: build_load_pkey.
update build_load set drop_due_at = now() + make_interval(secs => $2) where build = $1
