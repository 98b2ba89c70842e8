-- The process of Postgres that serves this connection. From now on it waits no longer than $1 for its client, who may be gone without
-- a word, as long as it takes for the turn of another start, and works as long as it takes.
select
    pg_backend_pid(),
    set_config('lock_timeout', '0', false),
    set_config('idle_session_timeout', $1, false),
    set_config('idle_in_transaction_session_timeout', $1, false),
    set_config('client_connection_check_interval', '1s', false),
    set_config('statement_timeout', '0', false)
