-- Whose tables a build's name stands for. Primary key.
select kind from data_build where build = $1
