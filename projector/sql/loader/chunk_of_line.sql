-- The chunk that holds a line, if any does. Index: build_chunk_pkey.
select object, first_line, rows from build_chunk where build = $1 and first_line <= $2 order by first_line desc limit 1
