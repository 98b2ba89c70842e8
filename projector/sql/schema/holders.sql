-- Who holds the lock that the process $1 of Postgres waits for; null when it waits for none. No statement is told: it may quote
-- what is in rows.
select string_agg(
    case
        when holder.pid is null then 'a prepared transaction'
        else format(
            '%s (process %s, %s since %s)',
            coalesce(nullif(holder.application_name, ''), 'somebody'), holder.pid,
            coalesce(holder.state, 'of another role'), date_trunc('second', holder.state_change)
        )
    end,
    ', ' order by blocking.pid
)
from unnest(pg_blocking_pids($1)) as blocking (pid)
left join pg_stat_activity as holder on holder.pid = blocking.pid
