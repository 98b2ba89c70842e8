-- At the end of a process, so that others need not wait for the leases to run out.
with gone as (delete from projector_instance where owner = $1)
delete from partition_lease where owner = $1
