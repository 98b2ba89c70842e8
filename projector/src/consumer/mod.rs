//! From Kafka to the projections: partitions by lease, batches by time and size, one transaction a batch.
//!
//! Guarantees: *exactly once into the read model* (rows and checkpoints in one transaction, by compare-and-set), *in order within a shard*
//! (the next `topic_seq` is taken, older ones are ignored, a gap stops the shard until the event store has filled it; what a store that
//! went back has given up is never taken, and nothing is taken on top of it), and *one bad event does not stop the others* (its key is
//! parked, see [`crate::dead_letter`]). kill -9 at any point loses and doubles nothing: what was not committed is read again.
//!
//! There are no consumer groups here: partitions are assigned by hand, from offsets that stand beside the rows.
//! What an event means must not be put here: that is [`crate::projections`].

pub mod batch;
pub mod decode;
pub mod gap;
pub mod history;
pub mod lease;
pub mod session;
pub mod tail;
pub mod topics;

mod kafka;
mod write;
