-- In order of the lines, page by page. Index: build_reject_pkey.
select line, reason, text from build_reject where build = $1 and line > $2 order by line limit $3
