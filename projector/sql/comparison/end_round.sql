-- Everything was compared once (one row): the next round begins before the first stream.
update comparison set topic = '', shard = 0, seq = 0, pos = 0, differences = 0, last_differences = differences, ended_at = now()
