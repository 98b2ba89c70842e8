-- Ends what the process $2 of Postgres is doing, if the build $1 is not to be loaded any more. Index: data_build_pkey.
select pg_cancel_backend($2) from data_build where build = $1 and status not in ('active', 'loading', 'loaded', 'retired')
