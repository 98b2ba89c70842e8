-- The chunk that holds a line. Index: build_chunk_pkey.
select object, first_line from build_chunk where build = $1 and first_line <= $2 order by first_line desc limit 1
