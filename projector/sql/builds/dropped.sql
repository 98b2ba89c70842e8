-- Its rows and files go; it is never active again. Index: data_build_pkey.
update data_build set status = 'dropped', search_files = null where build = $1
