-- Whatever of the kind is active and is not the new one, unless an activation at a later position than $4 was applied.
-- Index: data_build_kind, active_build_pkey.
update data_build set status = 'retired', retired_at = $3
where kind = $1 and status = 'active' and build <> $2
  and not exists (select from active_build where kind = $1 and pos > $4)
