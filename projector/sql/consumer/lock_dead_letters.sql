-- Shared with other batches, against `dead_letter/lock.sql`: no key is released while a batch decides by the parked keys.
select pg_advisory_xact_lock_shared(7262001)
