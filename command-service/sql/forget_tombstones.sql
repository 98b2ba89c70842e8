-- Tombstones that Kafka has for the second time are repeated no more (primary key).
DELETE FROM repeated_tombstone WHERE report_id = ANY($1)
