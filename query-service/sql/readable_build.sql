-- A build that can still be read, for replays. Primary key.
select schema_name from data_build where build = $1 and kind = $2 and status in ('active', 'retired', 'loaded')
