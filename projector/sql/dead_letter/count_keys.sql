-- Index: dead_letter_key.
select count(*) from (select distinct topic, message_key from dead_letter) as keys
