-- Lines of a build that were read as records; of those that repeat an id the first stays. Index: build_chunk_pkey.
select coalesce(sum(loaded_rows), 0)::bigint from build_chunk where build = $1
