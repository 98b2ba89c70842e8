-- Index: build_load_pkey.
update build_load set stage = 'ranked', rows = $2, rejected = $3, report = $4 where build = $1
