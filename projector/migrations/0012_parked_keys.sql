-- Why: behind one poison event of a busy key hundreds of thousands of letters may wait; which keys are parked is asked by every batch.

create view parked_key as
with recursive parked as (
    (select topic, message_key from dead_letter order by topic, message_key limit 1)
    union all
    select next.topic, next.message_key
    from parked
    cross join lateral (
        select d.topic, d.message_key
        from dead_letter as d
        where (d.topic, d.message_key) > (parked.topic, parked.message_key)
        order by d.topic, d.message_key
        limit 1
    ) as next
)
select topic, message_key from parked;
comment on view parked_key is 'Keys that are parked. Index dead_letter_key, one step a key however many letters wait behind it; keys are few, since above MAX_PARKED_KEYS nothing more is consumed.';
