//! The harness of the system tests: real service processes over a real Postgres and a real Kafka.
//!
//! A [`Stack`] is one test's own world: its own databases, topics (by `TOPIC_PREFIX`), ports and folder; the processes end with it. Tests
//! wait on states with a deadline ([`wait::until`], [`Stack::until_projected`]) and never sleep to let something happen.
//!
//! [`silent_wire`] is also for the tests of one service alone.
//!
//! [`chaos`] hurts a stack by a schedule while clients ask, and checks everything that they were told.
//!
//! `make test` starts the servers and exports `TEST_POSTGRES_URL`, `TEST_KAFKA_BROKERS` and `ROSTER_BIN_DIR`; without them a test fails.
//! No rule of the service may stand here: what is expected stands in the tests, in the words of docs/.

pub mod chaos;
pub mod customer;
pub mod follow;
pub mod gateway;
pub mod ledger;
pub mod operator;
pub mod process;
pub mod records;
pub mod servers;
pub mod silent_wire;
pub mod sql;
pub mod stack;
pub mod wait;
pub mod wiring;

pub use customer::{Answer, Customer};
pub use stack::{Part, Stack};
