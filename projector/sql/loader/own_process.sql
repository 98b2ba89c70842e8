-- The process of Postgres that serves this connection.
select pg_backend_pid()
