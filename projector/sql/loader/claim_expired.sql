-- A build whose time is over: $1 kept builds of a kind, then seconds for retired, abandoned and failed ones. One that
-- command-service knows to go waits until nobody writes its search files, and one that could not be told or removed until it
-- is due again. What an older version dropped untold comes, too. Whole table: one row a build.
select b.build, l.drop_told_at is not null as is_told
from data_build b
left join build_load l on l.build = b.build
where coalesce(l.drop_due_at <= now(), true)
  and case
    when l.drop_told_at is not null then
        l.stage <> 'dropped'
        and not exists (select from build_index i where i.build = b.build and i.leased_until > now())
    when l.stage in ('dropping', 'dropped') then true
    when b.status = 'abandoned' then b.ended_at < now() - make_interval(secs => $3)
    when b.status = 'failed' then b.ended_at < now() - make_interval(secs => $4)
    when b.status = 'retired' then b.retired_at < now() - make_interval(secs => $2)
        and $1 <= (
            select count(*) from data_build newer
            where newer.kind = b.kind and newer.status = 'retired' and newer.activated_at > b.activated_at
        )
    else false
end
order by b.created_at
limit 1
