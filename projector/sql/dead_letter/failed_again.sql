-- Index: dead_letter_pkey.
update dead_letter set attempts = attempts + 1, error = $2 where id = $1
