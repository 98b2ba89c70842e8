-- An activation that is applied after a later one, at a position beyond $3: the build was active and is not any more.
-- Index: data_build_pkey, active_build_pkey.
update data_build b set status = 'retired', activated_at = $2, retired_at = a.activated_at
from active_build a
where b.build = $1 and a.kind = b.kind and a.build <> b.build and a.pos > $3
