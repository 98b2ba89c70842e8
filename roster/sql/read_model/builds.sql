-- Every build, with whether requests are answered from it. Whole table: builds are few.
SELECT b.build, b.kind, b.status, b.rows, b.rejected, b.search_files ->> 'sha256' AS search_files, a.build IS NOT NULL AS pointed_at
FROM data_build AS b LEFT JOIN active_build AS a ON a.kind = b.kind AND a.build = b.build
