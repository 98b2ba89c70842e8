-- From now on this connection waits no longer than $1 for a lock.
select set_config('lock_timeout', $1, false)
