-- Files of a build whose rows are made again here belong to other rows, unless they are those that were just written: an event of before,
-- applied late, names them. Index: data_build_pkey, build_index_pkey.
update data_build b set search_files = $2
where b.build = $1 and not (
    b.search_files is null
    and exists (
        select from build_index i
        where i.build = b.build and i.state in ('asked', 'written') and i.search_files is distinct from $2
    )
)
