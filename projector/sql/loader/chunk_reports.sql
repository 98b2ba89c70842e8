-- Index: build_chunk_pkey.
select report from build_chunk where build = $1 and report is not null order by chunk
