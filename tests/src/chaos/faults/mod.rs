//! The faults, one a file. A further one is a further file and a further line here.

mod backup;
mod clocks;
mod corrupted;
mod disk_full;
mod ledger_killed;
mod network;
mod owner_stopped;
mod paging;
mod poison;
mod projector_killed;
mod publisher_killed;
mod servers_down;
mod slow_connections;

use std::time::Duration;

use super::Fault;

/// In the order in which they run.
pub const ALL: &[Fault] = &[
    Fault {
        name: "ledger-killed",
        does: "kill -9 of command-service every 2 s for 2 min",
        limit: Duration::from_secs(600),
        run: |plan| Box::pin(ledger_killed::run(plan)),
    },
    Fault {
        name: "owner-stopped",
        does: "the owner of a half of the shards is stopped for 30 s and goes on",
        limit: Duration::from_secs(400),
        run: |plan| Box::pin(owner_stopped::run(plan)),
    },
    Fault {
        name: "postgres-restarted",
        does: "Postgres is stopped in immediate mode and started, ten times",
        limit: Duration::from_secs(600),
        run: |plan| Box::pin(servers_down::postgres_restarted(plan)),
    },
    Fault {
        name: "kafka-down",
        does: "Kafka is killed and stays down for 2 min",
        limit: Duration::from_secs(600),
        run: |plan| Box::pin(servers_down::kafka_down(plan)),
    },
    Fault {
        name: "publisher-killed",
        does: "kill -9 of command-service between send and mark, which waits for it and is undone",
        limit: Duration::from_secs(600),
        run: |plan| Box::pin(publisher_killed::run(plan)),
    },
    Fault {
        name: "network",
        does: "the wires between all parts, gateway and a second owner among them, and to Postgres are cut, slow, silent, deaf, half-closed, lossy in turn",
        limit: Duration::from_secs(900),
        run: |plan| Box::pin(network::run(plan)),
    },
    Fault {
        name: "projector-killed",
        does: "kill -9 of the projector in COPY of a data build and in the commit of a batch, both of which wait for it",
        limit: Duration::from_secs(600),
        run: |plan| Box::pin(projector_killed::run(plan)),
    },
    Fault {
        name: "slow-connections",
        does: "5,000 connections that never finish what they send",
        limit: Duration::from_secs(300),
        run: |plan| Box::pin(slow_connections::run(plan)),
    },
    Fault {
        name: "corrupted",
        does: "a stored event is changed, one is unreadable, a search file is damaged where it is held and where it is stored",
        limit: Duration::from_secs(300),
        run: |plan| Box::pin(corrupted::run(plan)),
    },
    Fault {
        name: "poison",
        does: "the read model refuses the events of one contract, then takes them",
        limit: Duration::from_secs(300),
        run: |plan| Box::pin(poison::run(plan)),
    },
    Fault {
        name: "paging",
        does: "builds become active in turn under 200 sessions that page",
        limit: Duration::from_secs(600),
        run: |plan| Box::pin(paging::run(plan)),
    },
    Fault {
        name: "backup",
        does: "Postgres is lost and restored from a base backup, then from one that is older than the topics",
        limit: Duration::from_secs(400),
        run: |plan| Box::pin(backup::run(plan)),
    },
    Fault {
        name: "disk-full",
        does: "the disk of Postgres runs full and has room again",
        limit: Duration::from_secs(500),
        run: |plan| Box::pin(disk_full::run(plan)),
    },
    Fault {
        name: "clocks",
        does: "the clocks of all services step by an hour, forward and back",
        limit: Duration::from_secs(400),
        run: |plan| Box::pin(clocks::run(plan)),
    },
];
