-- The first letter of a key that waits, and how many do. Index: dead_letter_key.
select min(id), count(*) from dead_letter where topic = $1 and message_key = $2
