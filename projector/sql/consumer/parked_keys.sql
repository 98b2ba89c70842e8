-- Index: dead_letter_key, one step a key.
select topic, message_key from parked_key
