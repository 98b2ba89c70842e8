-- The try failed: another one after $3 seconds. $4 tries are given back. Index: build_index_pkey.
update build_index
set worker = null, leased_until = null, attempts = greatest(attempts - $4, 0),
    due_at = now() + make_interval(secs => $3), fault = coalesce($5, fault)
where build = $1 and worker = $2 and state = 'asked'
