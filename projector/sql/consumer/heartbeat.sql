-- Index: projector_instance_pkey.
insert into projector_instance (owner, expires_at)
values ($1, now() + make_interval(secs => $2))
on conflict (owner) do update set expires_at = excluded.expires_at
