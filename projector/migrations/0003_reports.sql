-- Why: a report's standing is listed and followed without its values, which are personal data and live elsewhere.

create table report (
    report_id        uuid        primary key,
    subject_type     text        not null,
    service_id       uuid        not null,
    issue_type       text        not null,
    issue_level      text        not null,
    field            text,
    data_build       text        not null,
    record_last_seen text,
    request_id       uuid        not null,
    reporter         text        not null,
    status           text        not null,
    received_at      timestamptz not null,
    updated_at       timestamptz not null
);
create index report_status on report (status, received_at desc, report_id);
create index report_record on report (service_id, received_at);

create table report_history (
    report_id uuid        not null,
    seq       bigint      not null,
    status    text        not null,
    at        timestamptz not null,
    actor     text        not null,
    reason    text,
    build     text,
    primary key (report_id, seq)
);
