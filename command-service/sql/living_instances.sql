-- Instances that may still write (whole table: a row for each that ever started at an address).
SELECT address FROM instance WHERE expires_at > now() ORDER BY address
