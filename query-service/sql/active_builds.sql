-- Which build answers for each kind: two rows at most, primary key.
select kind, build, schema_name from active_build
