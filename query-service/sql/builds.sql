-- The builds that are held: the active one of each kind, the last $1 that were active before it, and the newest that may
-- be activated next. A few rows: data_build is small. Index: active_build_pkey, data_build_kind.
with numbered as (
    select kind, build, schema_name, search_files, reference_date, status,
        row_number() over (partition by kind, status order by coalesce(retired_at, created_at) desc, build) as place
    from data_build b
    where status in ('retired', 'loaded') and not exists (select from active_build a where a.build = b.build)
)
select a.kind, a.build, a.schema_name, b.search_files, b.reference_date, 'active' as role, 0::bigint as place
from active_build a left join data_build b on b.build = a.build
union all
select kind, build, schema_name, search_files, reference_date, status, place
from numbered
where place <= case status when 'retired' then $1 else 1 end
order by role, place
