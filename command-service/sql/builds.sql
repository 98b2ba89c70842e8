-- Every data build, oldest first (small table).
SELECT build FROM data_build ORDER BY created_at, build
