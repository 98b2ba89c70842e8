-- Reports are listed page by page, oldest first, all or those of one status.
SET LOCAL statement_timeout = 0;
-- First, since it waits for whoever reads the table: nothing else waits for that.
DROP INDEX report_status;
CREATE INDEX report_in_order ON report (received_at, report_id);
CREATE INDEX report_status_in_order ON report (status, received_at, report_id);
