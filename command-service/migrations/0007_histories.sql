-- A store that was restored to an older state gives positions out again. What it writes from then on is of another history, so that no
-- two events ever have one ce_id.
ALTER TABLE shard_head ADD COLUMN history bigint NOT NULL DEFAULT 1;
COMMENT ON COLUMN shard_head.history IS 'Of the next event. Raised together with the fence: who read the head before cannot write after.';
CREATE TABLE history (
    shard     smallint    NOT NULL,
    history   bigint      NOT NULL CHECK (history > 1),
    first_pos bigint      NOT NULL CHECK (first_pos > 0),
    begun_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (shard, history)
);
COMMENT ON TABLE history IS 'Where each history after the first one begins: an event is of the newest one that begins at or before it.';
COMMENT ON COLUMN history.history IS 'Seconds since 1970 when it was begun: a number that a restored store has forgotten is not given out again.';
