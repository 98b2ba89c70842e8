-- Whole table: one row a projector.
select count(*) from projector_instance where expires_at > now()
