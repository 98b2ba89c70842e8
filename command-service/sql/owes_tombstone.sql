-- Whether the tombstone of one report is owed (primary key).
SELECT EXISTS (SELECT FROM owed_tombstone WHERE report_id = $1)
