-- Its search files are written next. Index: build_load_pkey, build_index_pkey.
with ranked as (
    update build_load set stage = 'ranked', rows = $2, rejected = $3, report = $4 where build = $1
    returning build
)
insert into build_index (build) select build from ranked
on conflict (build) do nothing
