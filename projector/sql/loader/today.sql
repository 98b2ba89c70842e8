-- The latest day that anything in a build may have been seen: that on which it was begun, whenever a chunk of it is loaded, or loaded again.
-- Index: data_build_pkey.
select (created_at at time zone 'utc')::date from data_build where build = $1
