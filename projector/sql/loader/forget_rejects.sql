-- Index: build_reject_pkey.
delete from build_reject where build = $1
