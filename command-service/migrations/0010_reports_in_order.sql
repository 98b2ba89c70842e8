-- Reports are listed page by page, oldest first, all or those of one status.
SET LOCAL statement_timeout = 0;
CREATE INDEX report_in_order ON report (received_at, report_id);
CREATE INDEX report_status_in_order ON report (status, received_at, report_id);
DROP INDEX report_status;
