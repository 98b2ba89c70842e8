-- Locked, so that the build is not dropped while something is asked of it. Index: build_load_pkey.
select stage from build_load where build = $1 for update
