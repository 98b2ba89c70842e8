-- Index: dead_letter_key, one step a key.
select count(*) from parked_key
