-- Index: dead_letter_pkey.
delete from dead_letter where id = any($1)
