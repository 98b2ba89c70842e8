-- Whether the process $1 of Postgres is at work, and who holds the lock that it waits for; null when it waits for none. Waiting for
-- the turn of another start is work as long as whoever holds that one up in the end is at work; waiting for a table never is, since
-- everybody else waits behind it. Who waits for a client is not at work, nor who is gone. No statement is told: it may quote what is
-- in rows.
with recursive process as materialized (
    select
        pid, application_name, state, state_change, wait_event,
        coalesce(state not like 'idle%' and wait_event_type is distinct from 'Client', false) as is_at_work
    from pg_stat_activity
),
holding (pid) as (
    select unnest(pg_blocking_pids($1))
    union
    select unnest(pg_blocking_pids(holding.pid)) from holding
),
holder as (
    select string_agg(
        case
            when process.pid is null then 'a prepared transaction'
            else format(
                '%s (process %s, %s since %s)',
                coalesce(nullif(process.application_name, ''), 'somebody'), process.pid,
                coalesce(process.state, 'of another role'), date_trunc('second', process.state_change)
            )
        end,
        ', ' order by blocking.pid
    ) as names
    from unnest(pg_blocking_pids($1)) as blocking (pid)
    left join process on process.pid = blocking.pid
),
root as (
    select coalesce(bool_and(coalesce(process.is_at_work, false)), false) as is_at_work
    from holding
    left join process on process.pid = holding.pid
    where cardinality(pg_blocking_pids(holding.pid)) = 0
)
select
    case
        when holder.names is null then coalesce(waiting.is_at_work, false)
        else coalesce(waiting.wait_event = 'advisory' and root.is_at_work, false)
    end,
    holder.names
from holder
cross join root
left join process as waiting on waiting.pid = $1
