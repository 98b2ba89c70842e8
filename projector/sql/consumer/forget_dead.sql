-- Whole table: one row a projector.
delete from projector_instance where expires_at < now() - interval '1 minute'
