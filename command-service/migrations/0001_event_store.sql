-- The event store: the one truth, written only by command-service, one statement a batch.

CREATE TABLE shard_head (
    shard      smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 63),
    pos        bigint   NOT NULL CHECK (pos >= 0),
    topic_seqs bigint[] NOT NULL
);
COMMENT ON TABLE shard_head IS 'The optimistic lock, the fence against a zombie writer and the gap-free publication sequence of a shard, in one row.';
COMMENT ON COLUMN shard_head.topic_seqs IS 'Last topic_seq of each topic of events, in the order of Topic::ALL.';
INSERT INTO shard_head SELECT shard, 0, '{0,0,0,0}' FROM generate_series(0, 63) AS shard;

CREATE TABLE event (
    shard        smallint    NOT NULL,
    pos          bigint      NOT NULL,
    topic        smallint    NOT NULL,
    topic_seq    bigint      NOT NULL,
    aggregate_id uuid        NOT NULL,
    seq          bigint      NOT NULL,
    event_type   text        NOT NULL,
    payload      jsonb       NOT NULL,
    request_id   uuid        NOT NULL,
    actor        text        NOT NULL,
    traceparent  text,
    occurred_at  timestamptz NOT NULL,
    PRIMARY KEY (shard, pos),
    UNIQUE (aggregate_id, seq)
);
COMMENT ON COLUMN event.pos IS 'Place in the shard, from 1, without gaps.';
COMMENT ON COLUMN event.topic IS 'Index in Topic::ALL.';
COMMENT ON COLUMN event.topic_seq IS 'Place in the shard''s part of the topic, from 1, without gaps: how a consumer sees a lost message.';
COMMENT ON COLUMN event.seq IS 'Place in the aggregate, from 1, without gaps.';

CREATE TABLE snapshot (
    aggregate_id uuid   PRIMARY KEY,
    seq          bigint NOT NULL,
    state        jsonb  NOT NULL
);
COMMENT ON TABLE snapshot IS 'State of an aggregate after event seq: a shortcut, never the truth.';

CREATE TABLE account (
    account_id uuid        PRIMARY KEY,
    shard      smallint    NOT NULL,
    name       text        NOT NULL,
    opened_at  timestamptz NOT NULL
);

CREATE TABLE api_key (
    api_key_id  text  PRIMARY KEY,
    account_id  uuid  NOT NULL,
    secret_hmac bytea NOT NULL CHECK (length(secret_hmac) = 32)
);
COMMENT ON TABLE api_key IS 'Proof of each key; what it may do is in the Account aggregate.';
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE contract_balance (
    contract_id uuid     PRIMARY KEY,
    account_id  uuid     NOT NULL,
    shard       smallint NOT NULL,
    balance     bigint   NOT NULL CHECK (balance >= 0)
);
COMMENT ON TABLE contract_balance IS 'Written in the statement of each charge: the CHECK is the tripwire below the decision in memory.';
CREATE INDEX contract_balance_account ON contract_balance (account_id);

CREATE TABLE idempotency (
    account_id   uuid        NOT NULL,
    endpoint     text        NOT NULL,
    key_hash     text        NOT NULL,
    request_hash text        NOT NULL,
    receipt      jsonb       NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, endpoint, key_hash)
);
COMMENT ON TABLE idempotency IS 'Charges that a client named; deleted in the background after their 24 h.';
CREATE INDEX idempotency_created_at ON idempotency USING brin (created_at);

CREATE TABLE report (
    report_id   uuid        PRIMARY KEY,
    status      text        NOT NULL,
    received_at timestamptz NOT NULL,
    details     jsonb,
    erased_at   timestamptz
);
COMMENT ON COLUMN report.details IS 'Values of the report, personal data: null once erased. Never in an event.';
CREATE INDEX report_status ON report (status, report_id);

CREATE TABLE data_build (
    build      text        PRIMARY KEY,
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE data_build IS 'Names in the order in which they were reserved; state is in the DataBuild aggregate.';

CREATE TABLE active_build (
    kind  text PRIMARY KEY,
    build text NOT NULL
);

CREATE TABLE published (
    shard smallint PRIMARY KEY,
    pos   bigint   NOT NULL
);
COMMENT ON TABLE published IS 'Up to here the shard''s events were acknowledged by Kafka: a mark, never ahead of the truth.';
INSERT INTO published SELECT shard, 0 FROM generate_series(0, 63) AS shard;

CREATE TABLE instance (
    instance   uuid        PRIMARY KEY,
    address    text        NOT NULL UNIQUE,
    expires_at timestamptz NOT NULL
);

CREATE TABLE shard_lease (
    shard      smallint PRIMARY KEY,
    owner      uuid,
    address    text,
    expires_at timestamptz
);
COMMENT ON TABLE shard_lease IS 'Leases only route; correctness rests on shard_head.';
INSERT INTO shard_lease (shard) SELECT generate_series(0, 63);
