//! What goes into a shard and what comes out of it, and its limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use events_schema::Envelope;
use events_schema::api::limits::{HOLD_TIMEOUT, IDEMPOTENCY_HOURS};
use events_schema::ids;
use uuid::Uuid;

use super::ask::{Ask, Failing, Reply, Ticket};
use super::batch::{Batch, Head};
use super::claims::Name;
use super::keys::Proof;
use super::rows::KeptCharge;
use crate::domain::aggregate::{Aggregate, Kind};

/// The same moment on both clocks.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// For what is answered and stored, in whole microseconds, so that every copy of it is the same.
    pub utc: DateTime<Utc>,
    /// For what is measured.
    pub monotonic: Instant,
}

/// Limits of one shard.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How long a hold lives.
    pub hold_timeout: Duration,
    /// How long an idempotent charge is kept.
    pub idempotency_for: TimeDelta,
    /// Most holds on one contract at a time.
    pub max_holds: usize,
    /// Most contracts of one account; one that has more keeps them.
    pub max_contracts: usize,
    /// Most named requests at work.
    pub max_claims: usize,
    /// Most rate windows in use.
    pub max_windows: usize,
    /// Most works that wait, for the store or for their batch.
    pub max_waiting: usize,
    /// Most aggregates in memory, beside those that are being written.
    pub max_cells: usize,
    /// Most keys whose proof, or whose absence, is remembered.
    pub max_keys: usize,
    /// Most look-ups of unknown keys at a time.
    pub max_key_lookups: usize,
    /// Most events in one batch; one command may exceed it alone.
    pub batch_events: usize,
    /// A snapshot is kept each so many events of an aggregate.
    pub snapshot_every: i64,
    /// After this time a batch of unknown outcome is answered as unknown. It is tried until its outcome is known.
    pub commit_deadline: Duration,
}

impl Default for Limits {
    /// For 200,000 aggregates in a process that owns every shard.
    fn default() -> Self {
        Self {
            hold_timeout: HOLD_TIMEOUT,
            idempotency_for: TimeDelta::hours(IDEMPOTENCY_HOURS),
            max_holds: 100_000,
            max_contracts: 1_000,
            max_claims: 65_536,
            max_windows: 65_536,
            max_waiting: 8_192,
            max_cells: 3_125,
            max_keys: 3_125,
            max_key_lookups: 64,
            batch_events: 2_000,
            snapshot_every: 1_000,
            commit_deadline: Duration::from_secs(5),
        }
    }
}

/// Something that the store is asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// The head of the shard. Always the first read of an epoch: what is read after it is not older, and no statement that was sent before
    /// is carried out after it (`Head::fence`).
    Head,
    /// An aggregate; of an account with its contracts.
    Aggregate(Kind, Uuid),
    /// What proves a key.
    Key(ids::ApiKeyId),
    /// The charge under a name, if it is not older than the duration. Asked for by one work and never shared.
    Kept(Ticket, Name, TimeDelta),
    /// The charge or grant that a request made. Asked for by one work and never shared.
    Movement(Ticket, Uuid),
    /// Which builds are active. Asked for by one work and never shared.
    ActiveBuilds(Ticket),
}

/// What the store answered.
#[derive(Debug, Clone)]
pub enum Found {
    /// To [`Wanted::Head`].
    Head(Head),
    /// To [`Wanted::Aggregate`].
    Aggregate {
        /// Before its first event where there is none.
        state: Aggregate,
        /// Of its last event.
        seq: i64,
        /// Of an account.
        contracts: Vec<ids::ContractId>,
    },
    /// To [`Wanted::Key`].
    Key(Option<Proof>),
    /// To [`Wanted::Kept`].
    Kept(Option<Box<KeptCharge>>),
    /// To [`Wanted::Movement`].
    Movement(Option<Box<events_schema::Event>>),
    /// To [`Wanted::ActiveBuilds`].
    ActiveBuilds(Vec<ids::BuildName>),
}

/// How the write of a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Durable.
    Committed,
    /// The head is not where the batch begins: this write wrote nothing.
    Behind,
    /// The store refuses the batch for what is in it: this write wrote nothing.
    Refused,
    /// This write wrote nothing for a reason that passes: no connection, a lock, a limit of the store.
    NotNow,
    /// No answer: it may be written, or still become so.
    Lost,
    /// The same, for a fault of this program, which would come again with another try.
    Broken,
}

/// What happens to a shard.
#[derive(Debug)]
pub enum Input {
    /// Somebody asks; the answer carries the ticket.
    Ask(Ticket, Ask),
    /// To [`Output::Fetch`].
    Fetched {
        /// That of the request.
        epoch: u64,
        /// What was asked for.
        wanted: Wanted,
        /// What was found.
        found: Result<Found, Failing>,
    },
    /// To [`Output::Write`].
    Written(u64, Written),
    /// To [`Output::Probe`]: whether the batch stands; then that is final. None = no answer.
    Probed(u64, Option<bool>),
    /// The lease holds until then. Another `grant` is another ownership: somebody else may have written in between.
    Owned {
        /// By the monotonic clock of this process.
        until: Instant,
        /// Counts the times that the lease was taken.
        grant: u64,
    },
    /// Somebody else owns the shard, or nobody.
    Disowned,
    /// Time has passed.
    Tick,
}

/// What is to be done.
#[derive(Debug)]
pub enum Output {
    /// Answer whoever has the ticket.
    Answer(Ticket, Reply),
    /// Ask the store, and give [`Input::Fetched`] with the same epoch.
    Fetch(u64, Wanted),
    /// Write the batch by a compare-and-set on the head.
    Write(u64, Arc<Batch>),
    /// Raise the fence, so that no statement of the batch is carried out any more, and find out whether one was.
    Probe(u64, Arc<Batch>),
    /// Keep a snapshot; best effort.
    Snapshot(Uuid, i64, Aggregate),
    /// These are durable, in order.
    Committed(Arc<Vec<Envelope>>),
    /// Give [`Input::Tick`] after so long.
    Wake(Duration),
}
