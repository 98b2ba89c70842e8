-- Candidates of a person enrich: the records that the probes (kinds $1, keys $2) or the id $3 lead to. One statement.
-- Index: person_key (kind, key, rank) include (flags), once a probe, index-only, the first $4 entries each; then the
-- primary key of person, at most $5 records: first those that an identifier ($6) leads to, so that no crowd of namesakes
-- hides its owner, then those that the rarest keys lead to. Probe 0 stands for the id. Every row tells which probes lead to
-- at least as many records as are read (cut). What led to a record is gathered of the chosen ones alone.
with key as materialized (
    select
        probe.ord, probe.identifies, entry.ranks, entry.flags,
        cardinality(entry.ranks) as entries
    from unnest($1::smallint[], $2::uuid[], $6::bool[]) with ordinality
        as probe (kind, key, identifies, ord)
    cross join lateral (
        select array_agg(rank) as ranks, array_agg(flags) as flags
        from (
            select rank, flags from person_key
            where kind = probe.kind and key = probe.key
            order by rank
            limit $4
        ) as first
    ) as entry
    where entry.ranks is not null
),
hit as materialized (
    select
        key.ord, key.identifies, entry.rank, entry.flags,
        1000000 / key.entries as weight
    from key
    cross join lateral unnest(key.ranks, key.flags) as entry (rank, flags)
    union all
    select 0, true, rank, 0::smallint, 0 from person where service_id = $3
),
chosen as (
    select rank
    from hit
    group by rank
    order by bool_or(identifies) desc, sum(weight) desc, rank
    limit $5
),
candidate as (
    select rank, array_agg(ord::int order by ord) as probes, array_agg(flags order by ord) as flags
    from hit
    join chosen using (rank)
    group by rank
)
select
    record.rank, record.service_id, record.doc, candidate.probes, candidate.flags,
    (select array_agg(ord::int) from key where entries >= $4) as cut
from candidate
join person as record on record.rank = candidate.rank
