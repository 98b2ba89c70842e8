-- Index: dead_letter_key (index-only in practice; the table is empty or small).
select distinct topic, message_key from dead_letter
