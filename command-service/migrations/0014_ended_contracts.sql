-- Contracts can end. A version before that would read a contract's snapshot without its end, and go on charging it: this number keeps such a
-- version away from the database.
COMMENT ON FUNCTION balance_after IS 'Credits of the contract right after one of its events; null for other events. The end of a contract leaves them as they were.';
