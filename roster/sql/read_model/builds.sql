-- Every build, with whether requests are answered from it, and what the loader still has to make here: its rows; its search files, which
-- are nobody's until then; or just made, so that the event that names them is not here yet. Whole tables: builds are few.
SELECT
    b.build, b.kind, b.status, b.rows, b.rejected, b.search_files ->> 'sha256' AS search_files, a.build IS NOT NULL AS pointed_at,
    coalesce(l.stage, 'loading') IN ('loading', 'ranked', 'failed') AS lacks_rows,
    coalesce(CASE
        WHEN b.search_files IS NULL THEN i.state IN ('asked', 'written')
        ELSE i.state = 'told' AND i.search_files = b.search_files
    END, FALSE) AS files_are_made
FROM data_build AS b
LEFT JOIN active_build AS a ON a.kind = b.kind AND a.build = b.build
LEFT JOIN build_load AS l ON l.build = b.build
LEFT JOIN build_index AS i ON i.build = b.build
