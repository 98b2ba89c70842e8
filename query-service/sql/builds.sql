-- The builds that are held: the active one of each kind, the last $1 that were active before it, and the newest that may
-- be activated next; each with the edition of canon and keys that it was loaded by. A few rows: data_build is small.
-- The edition is read by its name, 0 where there is none: a projector that is updated later makes the column later.
-- Index: active_build_pkey, data_build_kind, build_load_pkey.
with numbered as (
    select kind, build, schema_name, search_files, reference_date, status,
        row_number() over (partition by kind, status order by coalesce(retired_at, created_at) desc, build) as place
    from data_build b
    where status in ('retired', 'loaded') and not exists (select from active_build a where a.build = b.build)
), held as (
    select a.kind, a.build, a.schema_name, b.search_files, b.reference_date, 'active' as role, 0::bigint as place
    from active_build a left join data_build b on b.build = a.build
    union all
    select kind, build, schema_name, search_files, reference_date, status, place
    from numbered
    where place <= case status when 'retired' then $1 else 1 end
)
select h.kind, h.build, h.schema_name, h.search_files, h.reference_date, h.role, coalesce((to_jsonb(l) ->> 'edition')::int, 0) as edition
from held h left join build_load l on l.build = h.build
order by h.role, h.place
