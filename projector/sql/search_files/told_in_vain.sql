-- Command-service is told again after $3 seconds. Index: build_index_pkey.
update build_index set fault = $2, due_at = now() + make_interval(secs => $3) where build = $1 and state = 'written'
