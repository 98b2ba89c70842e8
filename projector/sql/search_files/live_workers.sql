-- Whole table: one row a build.
select worker from build_index where leased_until > now()
