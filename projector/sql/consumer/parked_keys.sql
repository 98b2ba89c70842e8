-- Index: dead_letter_key, read as a whole. Keys are few, since above MAX_PARKED_KEYS nothing more is consumed; letters behind one of them
-- may be many, each an entry of the index.
select distinct topic, message_key from dead_letter
