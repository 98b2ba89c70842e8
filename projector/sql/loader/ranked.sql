-- Its search files are written next. Those that the events name of a build that is loaded again were written from other rows, which may
-- have had other ranks: they are nobody's until new ones are told. Chunks that were loaded during an update may be of several editions: the
-- build is of the lowest. Index: build_load_pkey, build_index_pkey, build_chunk_pkey, data_build_pkey.
with ranked as (
    update build_load set stage = 'ranked', rows = $2, rejected = $3, report = $4,
        edition = (select coalesce(min(c.edition), 0) from build_chunk c where c.build = $1)
    where build = $1
    returning build
), unnamed as (
    update data_build b set search_files = null from ranked where b.build = ranked.build and b.status <> 'loading'
)
insert into build_index (build) select build from ranked
on conflict (build) do nothing
