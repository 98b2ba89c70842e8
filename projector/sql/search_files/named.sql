-- The manifests that somebody may name, while the row of the build stays locked and this worker's. Index: build_index_pkey.
select array_remove(array[b.search_files ->> 'manifest', l.search_files ->> 'manifest', i.search_files ->> 'manifest'], null)
from build_index i
join build_load l on l.build = i.build
join data_build b on b.build = i.build
where i.build = $1 and i.worker = $2
for update of i
