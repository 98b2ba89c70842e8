-- An erasure is no event, and cannot be undone: who asked for it stands beside it.
ALTER TABLE report ADD COLUMN erased_by text;
COMMENT ON COLUMN report.erased_by IS 'The operator; null where the values are there, or were erased by an older version.';
