-- A build whose time is over: $1 kept builds of a kind, then seconds for retired, abandoned and failed ones. One that is
-- marked waits until nobody writes its search files. Whole table: one row a build.
select b.build, l.stage is not distinct from 'dropping' as is_marked
from data_build b
left join build_load l on l.build = b.build
where l.stage is distinct from 'dropped'
  and (
      l.stage is distinct from 'dropping'
      or not exists (select from build_index i where i.build = b.build and i.leased_until > now())
  )
  and case b.status
      when 'abandoned' then b.ended_at < now() - make_interval(secs => $3)
      when 'failed' then b.ended_at < now() - make_interval(secs => $4)
      when 'retired' then b.retired_at < now() - make_interval(secs => $2)
          and $1 <= (
              select count(*) from data_build newer
              where newer.kind = b.kind and newer.status = 'retired' and newer.activated_at > b.activated_at
          )
      else false
  end
order by b.created_at
limit 1
