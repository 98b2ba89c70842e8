-- Nothing is renewed for a worker whose lease another one took, or whose build is to go. Index: build_index_pkey.
update build_index i
set leased_until = now() + make_interval(secs => $3), rows_written = $4
from build_load l, data_build b
where i.build = $1 and i.worker = $2 and i.state = 'asked'
  and l.build = i.build and l.stage in ('ranked', 'indexed')
  and b.build = i.build and b.status in ('loading', 'loaded', 'active', 'retired')
