-- Erases the values of one report, for whom, and owes their tombstone; how many reports there are of that id (primary keys).
WITH erased AS (
    UPDATE report SET details = NULL, erased_at = coalesce(erased_at, $3),
        erased_by = CASE WHEN erased_at IS NULL THEN $4 ELSE erased_by END
    WHERE report_id = $1
    RETURNING report_id, erased_at
), owed AS (
    INSERT INTO owed_tombstone (report_id, shard, erased_at) SELECT report_id, $2, erased_at FROM erased
    ON CONFLICT (report_id) DO NOTHING
)
SELECT count(*) FROM erased
