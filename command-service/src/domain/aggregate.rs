//! An aggregate of any type, as its shard keeps it. How a command is carried out is said in `framework`.

use std::sync::Arc;

use events_schema::Event;
use events_schema::ids::{AccountId, Shard};
use serde_json::Value;
use uuid::Uuid;

use super::account::{Account, AccountCommand, AccountRefusal};
use super::contract::{Contract, ContractCommand, ContractRefusal};
use super::data_build::{DataBuild, DataBuildCommand, DataBuildRefusal};
use super::framework::carry_out;
use super::report::{Report, ReportCommand, ReportRefusal};
use super::{Decider, NotMine};

/// Any aggregate with its state. Copies share it until one is changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Aggregate {
    /// A customer and its keys.
    Account(Arc<Account>),
    /// A billing contract.
    Contract(Arc<Contract>),
    /// A data-quality report.
    Report(Arc<Report>),
    /// A data build.
    DataBuild(Arc<DataBuild>),
}

/// The type of an aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Account`]
    Account,
    /// [`Contract`]
    Contract,
    /// [`Report`]
    Report,
    /// [`DataBuild`]
    DataBuild,
}

/// A wish about an aggregate of any type.
#[derive(Debug, Clone)]
pub enum Command {
    /// About an account.
    Account(AccountCommand),
    /// About a contract.
    Contract(ContractCommand),
    /// About a report.
    Report(ReportCommand),
    /// About a data build.
    DataBuild(DataBuildCommand),
}

/// A refusal, whichever aggregate gave it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Of an account.
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    /// Of a contract.
    #[error(transparent)]
    Contract(#[from] ContractRefusal),
    /// Of a report.
    #[error(transparent)]
    Report(#[from] ReportRefusal),
    /// Of a data build.
    #[error(transparent)]
    DataBuild(#[from] DataBuildRefusal),
}

impl Kind {
    /// Version of the state that a snapshot holds: another number makes old snapshots useless, and the events are read
    /// instead. To be raised with every change of a state's fields, but for one of which its absence says what was true before.
    pub const STATE_VERSION: i32 = 1;
}

/// The shard of an aggregate: ids are UUIDv8 and carry it, but for the UUIDv5 of a data build's name.
#[must_use]
pub fn shard_of(id: Uuid) -> Shard {
    if id.get_version_num() == 8 {
        AccountId::from(id).shard()
    } else {
        Shard::DATA_BUILDS
    }
}

impl Command {
    /// The type that it is about.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Account(_) => Kind::Account,
            Self::Contract(_) => Kind::Contract,
            Self::Report(_) => Kind::Report,
            Self::DataBuild(_) => Kind::DataBuild,
        }
    }
}

impl Aggregate {
    /// Before its first event.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Account => Self::Account(Arc::default()),
            Kind::Contract => Self::Contract(Arc::default()),
            Kind::Report => Self::Report(Arc::default()),
            Kind::DataBuild => Self::DataBuild(Arc::default()),
        }
    }

    /// The state of a snapshot.
    ///
    /// # Errors
    /// When the JSON is not such a state.
    pub fn from_snapshot(kind: Kind, state: Value) -> serde_json::Result<Self> {
        Ok(match kind {
            Kind::Account => Self::Account(Arc::new(serde_json::from_value(state)?)),
            Kind::Contract => Self::Contract(Arc::new(serde_json::from_value(state)?)),
            Kind::Report => Self::Report(Arc::new(serde_json::from_value(state)?)),
            Kind::DataBuild => Self::DataBuild(Arc::new(serde_json::from_value(state)?)),
        })
    }

    /// The state for a snapshot.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which no state here can cause.
    pub fn to_snapshot(&self) -> serde_json::Result<Value> {
        match self {
            Self::Account(state) => serde_json::to_value(&**state),
            Self::Contract(state) => serde_json::to_value(&**state),
            Self::Report(state) => serde_json::to_value(&**state),
            Self::DataBuild(state) => serde_json::to_value(&**state),
        }
    }

    /// Carries out a command: the state follows, and the events say how. A refusal changes nothing; so does a command to an
    /// aggregate of another type, which nobody gives.
    ///
    /// # Errors
    /// The refusal.
    pub fn carry_out(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        match (self, command) {
            (Self::Account(state), Command::Account(command)) => Ok(carry_out(state, command)?),
            (Self::Contract(state), Command::Contract(command)) => Ok(carry_out(state, command)?),
            (Self::Report(state), Command::Report(command)) => Ok(carry_out(state, command)?),
            (Self::DataBuild(state), Command::DataBuild(command)) => Ok(carry_out(state, command)?),
            _ => Ok(Vec::new()),
        }
    }

    /// The state after a stored event.
    ///
    /// # Errors
    /// When the event belongs to an aggregate of another type.
    pub fn evolve(&mut self, event: Event) -> Result<(), NotMine> {
        match self {
            Self::Account(state) => evolve(state, event),
            Self::Contract(state) => evolve(state, event),
            Self::Report(state) => evolve(state, event),
            Self::DataBuild(state) => evolve(state, event),
        }
    }
}

fn evolve<D: Decider>(state: &mut Arc<D>, event: Event) -> Result<(), NotMine> {
    let fact = D::Event::try_from(event)?;
    Arc::make_mut(state).evolve(&fact);
    Ok(())
}

#[cfg(test)]
mod tests {
    use events_schema::account::v1::AccountOpened;
    use serde_json::json;

    use super::*;

    fn open() -> (AccountId, AccountCommand) {
        let account_id = AccountId::new([3; 16]);
        let name = "acme".to_owned();
        (account_id, AccountCommand::Open { account_id, name })
    }

    #[test]
    fn an_id_carries_its_shard_and_data_builds_share_one() {
        let (account_id, _) = open();
        assert_eq!(shard_of(account_id.uuid()), account_id.shard());
        let other = (0..=u8::MAX)
            .map(|n| AccountId::new([n; 16]))
            .find(|id| id.shard() != Shard::DATA_BUILDS)
            .unwrap();
        assert_eq!(shard_of(other.uuid()), other.shard());
        let build = Uuid::new_v5(&Uuid::NAMESPACE_URL, b"build");
        assert_eq!(shard_of(build), Shard::DATA_BUILDS);
    }

    /// A command is carried out by the type that it is about, and by no other one.
    #[test]
    fn each_type_carries_out_its_commands_and_survives_its_snapshot() {
        use chrono::{DateTime, NaiveDate};
        use events_schema::Credits;
        use events_schema::api::endpoint::EndpointSet;
        use events_schema::data_build::v1::DataBuildStarted;
        use events_schema::ids::{ContractId, ReportId};
        use events_schema::record::RecordKind;
        use events_schema::report::v1::{IssueLevel, IssueType, ReportReceived};

        let (account_id, open) = open();
        let terms = super::super::contract::Terms {
            contract_id: ContractId::new(account_id, [4; 16]),
            account_id,
            endpoints: EndpointSet::All,
            starts_on: NaiveDate::default(),
            expires_on: None,
            prices: Default::default(),
        };
        let received = ReportReceived {
            report_id: ReportId::new(Uuid::from_u128(7), [1; 16]),
            subject_type: RecordKind::Person,
            service_id: Uuid::from_u128(7),
            issue_type: IssueType::Outdated,
            issue_level: IssueLevel::Record,
            field: None,
            data_build: "b1".parse().unwrap(),
            record_last_seen: None,
            request_id: Uuid::from_u128(8),
            reporter: "00".repeat(16),
            received_at: DateTime::UNIX_EPOCH,
        };
        let started = DataBuildStarted {
            build: "b1".parse().unwrap(),
            kind: RecordKind::Person,
            as_of: None,
            started_at: DateTime::UNIX_EPOCH,
        };
        let credits = Credits(5);
        let commands = [
            Command::Account(open),
            Command::Contract(ContractCommand::Create { terms, credits }),
            Command::Report(ReportCommand::File(Box::new(received))),
            Command::DataBuild(DataBuildCommand::Start(started)),
        ];
        for command in &commands {
            let mut aggregate = Aggregate::new(command.kind());
            let events = aggregate.carry_out(command.clone()).unwrap();
            let mut folded = Aggregate::new(command.kind());
            assert_ne!(folded, aggregate);
            for event in events {
                folded.evolve(event).unwrap();
            }
            assert_eq!(folded, aggregate);
            let kept = aggregate.to_snapshot().unwrap();
            let read = Aggregate::from_snapshot(command.kind(), kept).unwrap();
            assert_eq!(read, aggregate);
            if let Command::Contract(_) = command {
                let end = ContractCommand::End {
                    at: DateTime::UNIX_EPOCH,
                    reason: "cancelled".to_owned(),
                };
                let mut ended = aggregate.clone();
                ended.carry_out(Command::Contract(end)).unwrap();
                assert_ne!(ended, aggregate);
                let kept = ended.to_snapshot().unwrap();
                assert_eq!(
                    Aggregate::from_snapshot(Kind::Contract, kept).unwrap(),
                    ended
                );
            }
            for other in commands.iter().filter(|o| o.kind() != command.kind()) {
                assert_eq!(aggregate.carry_out(other.clone()), Ok(Vec::new()));
            }
        }
    }

    #[test]
    fn a_refusal_and_a_reader_leave_the_state_as_it_was() {
        let (_, command) = open();
        let mut account = Aggregate::new(Kind::Account);
        account
            .carry_out(Command::Account(command.clone()))
            .unwrap();
        let reader = account.clone();
        let again = account.carry_out(Command::Account(command));
        assert_eq!(again, Err(AccountRefusal::AlreadyOpen.into()));
        assert_eq!(account, reader);
    }

    #[test]
    fn a_state_survives_its_snapshot_and_junk_is_no_state() {
        let mut account = Aggregate::new(Kind::Account);
        account.carry_out(Command::Account(open().1)).unwrap();
        let kept = account.to_snapshot().unwrap();
        assert_eq!(
            Aggregate::from_snapshot(Kind::Account, kept).unwrap(),
            account
        );
        assert!(Aggregate::from_snapshot(Kind::Contract, json!({})).is_err());
    }

    /// The sink's lock counts against what tokio lets a task do at a time.
    #[tokio::test]
    async fn a_task_that_decides_without_a_pause_loses_no_event() {
        for _ in 0..1_000 {
            let mut account = Aggregate::new(Kind::Account);
            let events = account.carry_out(Command::Account(open().1)).unwrap();
            assert_eq!(events.len(), 1);
        }
    }

    #[test]
    fn an_event_of_another_type_is_not_folded() {
        let (account_id, _) = open();
        let name = "acme".to_owned();
        let opened = Event::AccountOpened(AccountOpened { account_id, name });
        assert!(Aggregate::new(Kind::Contract).evolve(opened).is_err());
    }
}
