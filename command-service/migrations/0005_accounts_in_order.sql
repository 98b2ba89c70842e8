-- Accounts are listed page by page, oldest first.
SET LOCAL statement_timeout = 0;
CREATE INDEX account_in_order ON account (opened_at, account_id);
