-- The next build whose search files are to be written and that nobody writes: $1 worker, $2 seconds of the lease. The
-- try counts from here, so that one that ends with its process counts, too. Index: build_index_pkey; one row a build.
with due as (
    select i.build, b.kind, l.stage, l.rows
    from build_index i
    join build_load l on l.build = i.build and l.stage in ('ranked', 'indexed')
    join data_build b on b.build = i.build and b.status in ('loading', 'loaded', 'active', 'retired')
    where i.state = 'asked' and i.due_at <= now() and (i.leased_until is null or i.leased_until < now())
    order by i.asked_at
    limit 1
    for update of i skip locked
)
update build_index i
set worker = $1, leased_until = now() + make_interval(secs => $2), attempts = i.attempts + 1, rows_written = 0
from due
where i.build = due.build
returning i.build, due.kind, due.stage, due.rows, i.attempts, i.fault
