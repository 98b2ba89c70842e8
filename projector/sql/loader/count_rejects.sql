-- Index: build_reject_pkey.
select count(*) from build_reject where build = $1
