//! What a shard is asked, what it answers, and a work: an ask in progress.

use std::sync::Arc;

use events_schema::Credits;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{
    self, Answer, Hold, IdempotencyClaim, RateWindow, Receipt, Settle,
};
use events_schema::ids::{AccountId, ApiKeyId, BuildName, ContractId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Wanted;
use super::claims::Name;
use super::holds::SetAside;
use super::pipeline::Decision;
use super::rows::{IdempotencyRow, KeptCharge, Row};
use crate::domain::aggregate::{Aggregate, Command, Kind, Refusal};
use crate::domain::contract::Contract;

/// The number of an ask in its driver.
pub type Ticket = u64;

/// Who asked for a command, and in which trace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cause {
    /// The HTTP request; all events of one command share it.
    pub request_id: Uuid,
    /// `api_key:<id>`, `operator:<token name>` or `service:<part>`.
    pub actor: String,
    /// W3C trace context.
    pub traceparent: Option<String>,
}

/// A well-formed key that a caller showed; its secret part is hashed already.
#[derive(Debug, Clone)]
pub struct ShownKey {
    /// Its public part.
    pub id: ApiKeyId,
    /// HMAC-SHA-256 of its secret part.
    pub secret_hmac: [u8; 32],
}

/// A request that wants to begin.
#[derive(Debug, Clone)]
pub struct Admit {
    /// Whose.
    pub key: ShownKey,
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The HTTP request.
    pub request_id: Uuid,
    /// The id that its hold gets, should there be one.
    pub hold_id: Uuid,
    /// What it wants.
    pub ask: internal::Ask,
    /// `Idempotency-Key`, if sent.
    pub idempotency: Option<IdempotencyClaim>,
}

/// A command on one aggregate that is not charged for.
#[derive(Debug, Clone)]
pub struct Change {
    /// The aggregate.
    pub id: Uuid,
    /// The wish.
    pub command: Command,
    /// Who wishes.
    pub cause: Cause,
    /// Written with the events.
    pub row: Option<Row>,
    /// The client's name for the command, durable with the events.
    pub named: Option<IdempotencyRow>,
    /// The request id names the grant: it moves credits once, however often it is sent.
    pub once: bool,
}

/// What a shard is asked.
#[derive(Debug, Clone)]
pub enum Ask {
    /// Authenticate, count, claim, hold.
    Admit(Box<Admit>),
    /// Charge a hold.
    Settle(Box<Settle>),
    /// Give a hold back.
    Release(Box<Hold>),
    /// Whether a key is valid.
    Check(ShownKey),
    /// The contracts of a key's account, counted as [`Ask::Look`].
    Credits(ShownKey),
    /// Who holds a key, counted against the limit of reading one's own account.
    Look(ShownKey),
    /// The contracts of an account.
    Contracts(AccountId),
    /// One contract, also one that was never made.
    Contract(ContractId),
    /// Change one aggregate.
    Change(Box<Change>),
    /// An aggregate, once all of it is durable.
    Read(Kind, Uuid),
}

impl Ask {
    /// Whether something durable may come of it. The outcome of an ask that only reads or sets credits aside is always known.
    #[must_use]
    pub const fn changes_something(&self) -> bool {
        match self {
            Self::Settle(..) | Self::Change(_) => true,
            Self::Admit(_)
            | Self::Release(_)
            | Self::Check(_)
            | Self::Credits(_)
            | Self::Look(_)
            | Self::Contracts(_)
            | Self::Contract(_)
            | Self::Read(..) => false,
        }
    }
}

/// A contract and the credits of it that are set aside.
#[derive(Debug, Clone)]
pub struct HeldContract {
    /// Its state, durable.
    pub contract: Arc<Contract>,
    /// Set aside now.
    pub held: Credits,
}

/// What a key may read of its account.
#[derive(Debug, Clone)]
pub struct OwnCredits {
    /// In the order in which they serve.
    pub contracts: Vec<HeldContract>,
    /// The one that would serve a unit now of the cheapest endpoint that it covers.
    pub serves_next: Option<ContractId>,
}

/// What failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// Too much waits.
    Overloaded,
    /// Postgres.
    Database,
    /// What is stored cannot be used, or the shard changes owners too fast.
    Ledger,
}

/// An answer.
#[derive(Debug, Clone)]
pub enum Reply {
    /// To calls.
    Answer(Box<Answer>),
    /// The aggregate right after the change, or as read. Durable.
    State(Aggregate),
    /// Contracts in the order in which they serve. Durable.
    Contracts(Vec<HeldContract>),
    /// What a key may read of its account. Durable.
    Credits(OwnCredits),
    /// Refused by a rule of the business; nothing changed.
    Refused(Refusal),
    /// The named request was done before; this is what was kept of it.
    Before(Receipt),
    /// The name belongs to a different request.
    NamedDifferently,
    /// The shard is not owned here; nothing was done.
    NotOwned,
    /// A part failed; nothing was done.
    Unavailable(Failing),
    /// A part failed, and whether it was done is not known yet.
    Unknown,
}

impl Reply {
    pub(super) fn is_admitted(&self) -> bool {
        matches!(self, Self::Answer(answer) if matches!(**answer, Answer::Admitted { .. }))
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::Answer(Box::new(answer))
    }
}

/// What only one work may do at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lock {
    /// A charge or report under a name.
    Name(Name),
    /// A charge or grant of a request.
    Request(Uuid),
    /// Which build is active, and what rests on it.
    ActiveBuild,
}

/// An ask on its way to its answer. It is run again from the start whenever something that it waited for has arrived; what must happen only
/// once is noted here.
#[derive(Debug)]
pub(super) struct Work {
    /// `None` once it is answered, as when the outcome was not known in time.
    pub(super) ticket: Option<Ticket>,
    pub(super) number: Ticket,
    pub(super) ask: Arc<Ask>,
    /// Counted against its rate limit.
    pub(super) rate: Option<RateWindow>,
    /// It has its claim.
    pub(super) claimed: bool,
    pub(super) name: Option<Name>,
    pub(super) lock: Option<Lock>,
    /// Looked up for this work in this epoch.
    pub(super) kept: Option<Option<Box<KeptCharge>>>,
    pub(super) movement: Option<Option<Box<events_schema::Event>>>,
    pub(super) active_builds: Option<Vec<BuildName>>,
    /// What its hold was, taken off when it was decided.
    pub(super) hold: Option<SetAside>,
    /// How often it was decided.
    pub(super) tries: u32,
    /// The store refused a batch with it: it goes with others of its group alone.
    pub(super) group: u64,
    /// The store refused it on its own: before it is decided again, it looks for an effect that it has had already.
    pub(super) looks: bool,
    /// The epoch in which it was run last.
    pub(super) epoch: u64,
    /// The step in which it was run last and had to wait.
    pub(super) ran_at: u64,
}

impl Work {
    pub(super) fn new(ticket: Ticket, ask: Ask) -> Self {
        Self {
            ticket: Some(ticket),
            number: ticket,
            ask: Arc::new(ask),
            rate: None,
            claimed: false,
            name: None,
            lock: None,
            kept: None,
            movement: None,
            active_builds: None,
            hold: None,
            tries: 0,
            group: 0,
            looks: false,
            epoch: 0,
            ran_at: 0,
        }
    }
}

/// Where a work has come to.
pub(super) enum Step {
    /// Its end.
    Answer(Reply),
    /// Its events wait to be written.
    Decided(Box<Decision>),
}

/// Why a work cannot go on yet.
pub(super) enum Halt {
    /// Something of the store.
    Wants(Wanted),
    /// Another work has the lock.
    Locked(Lock),
}
