-- Waits for running batches and keeps new ones out: see consumer/lock_dead_letters.sql.
select pg_advisory_xact_lock(7262001)
