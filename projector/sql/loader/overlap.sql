-- The first chunk that begins at a line which another one holds already. Index: build_chunk_pkey.
select chunk, first_line
from (
    select chunk, first_line,
           max(first_line + rows) over (order by first_line, chunk rows between unbounded preceding and 1 preceding) as free_from
    from build_chunk where build = $1
) as placed
where first_line < free_from
order by first_line, chunk
limit 1
