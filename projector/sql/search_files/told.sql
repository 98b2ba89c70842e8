-- Command-service took them. Of a build whose files were nobody's they are named at once: where the events name the same ones already, no
-- further event comes. Index: build_index_pkey, data_build_pkey.
with told as (
    update build_index set state = 'told', told_at = now(), fault = null where build = $1
    returning build, search_files
)
update data_build b set search_files = told.search_files from told where b.build = told.build and b.search_files is null
