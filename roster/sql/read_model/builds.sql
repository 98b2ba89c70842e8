-- Every build, with whether requests are answered from it, and whether its rows or its search files are still to be made here. Whole
-- tables: builds are few.
SELECT
    b.build, b.kind, b.status, b.rows, b.rejected, b.search_files ->> 'sha256' AS search_files, a.build IS NOT NULL AS pointed_at,
    coalesce(l.stage, 'loading') IN ('loading', 'ranked', 'failed')
    OR (b.search_files IS NULL AND coalesce(i.state IN ('asked', 'written'), FALSE)) AS is_loading
FROM data_build AS b
LEFT JOIN active_build AS a ON a.kind = b.kind AND a.build = b.build
LEFT JOIN build_load AS l ON l.build = b.build
LEFT JOIN build_index AS i ON i.build = b.build
