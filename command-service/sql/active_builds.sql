-- The active build of each kind (two rows).
SELECT kind, build FROM active_build
