-- Erases the values of one report (primary key).
UPDATE report SET details = NULL, erased_at = coalesce(erased_at, $2) WHERE report_id = $1
