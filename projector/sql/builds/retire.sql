-- Whatever of the kind is active and is not the new one. Index: data_build_kind.
update data_build set status = 'retired', retired_at = $3 where kind = $1 and status = 'active' and build <> $2
