//! Every event of the service as one tagged type.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::account::v1::{AccountOpened, ApiKeyIssued, ApiKeyRevoked};
use crate::contract::v1::{ContractCreated, ContractEnded, CreditsCharged, CreditsGranted};
use crate::data_build::v1::{
    DataBuildAbandoned, DataBuildActivated, DataBuildChunkStaged, DataBuildDropped,
    DataBuildFailed, DataBuildLoaded, DataBuildReindexed, DataBuildSealed, DataBuildStarted,
};
use crate::record::RecordKind;
use crate::report::v1::{
    ReportAccepted, ReportCorrected, ReportReceived, ReportRejected, ReportReviewed,
};
use crate::topics::Topic;

macro_rules! events {
    ($( $topic:ident as $of_topic:ident { $( $variant:ident($payload:ty) = $type:literal; )* } )*) => {
        /// A fact, past tense, never changed. Serialized as `{"type": "<name>.v1", "data": {…}}`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "type", content = "data")]
        pub enum Event {
            $($(
                #[doc = concat!("`", $type, "`")]
                #[serde(rename = $type)]
                $variant($payload),
            )*)*
        }

        impl Event {
            /// Every event type with its schema's Rust type, in the order of the declaration.
            pub const STORED_TYPES: &'static [&'static str] = &[$($($type),*),*];

            /// The type under which the event is stored.
            #[must_use]
            pub const fn stored_type(&self) -> &'static str {
                match self { $($(Self::$variant(_) => $type,)*)* }
            }

            /// The topic that the event goes to.
            #[must_use]
            pub const fn topic(&self) -> Topic {
                match self { $($(Self::$variant(_) => Topic::$topic,)*)* }
            }

            /// The JSON Schema of one event type's payload.
            #[must_use]
            pub fn schema_of(stored_type: &str) -> Option<schemars::Schema> {
                match stored_type {
                    $($($type => Some(schemars::schema_for!($payload)),)*)*
                    _ => None,
                }
            }

            /// The payload alone, as JSON text: the value of the Kafka message.
            ///
            /// # Errors
            /// When the payload cannot be written as JSON, which no payload here can cause.
            pub fn payload(&self) -> serde_json::Result<String> {
                match self { $($(Self::$variant(payload) => serde_json::to_string(payload),)*)* }
            }

            /// The event of this stored type with this payload.
            ///
            /// # Errors
            /// [`UnreadableEvent`] for a type that is not known or a payload that does not fit it.
            pub fn from_parts(stored_type: &str, payload: serde_json::Value) -> Result<Self, UnreadableEvent> {
                match stored_type {
                    $($($type => Ok(Self::$variant(serde_json::from_value(payload)?)),)*)*
                    other => Err(UnreadableEvent::UnknownType(other.to_owned())),
                }
            }
        }

        $($(
            impl From<$payload> for Event {
                fn from(payload: $payload) -> Self {
                    Self::$variant(payload)
                }
            }
        )*)*

        $(
            #[doc = concat!("An event of [`Topic::", stringify!($topic), "`]. A fold that matches it meets every event that the topic ever gets.")]
            #[derive(Debug, Clone, Copy)]
            pub enum $of_topic<'a> {
                $(
                    #[doc = concat!("`", $type, "`")]
                    $variant(&'a $payload),
                )*
            }

            impl<'a> $of_topic<'a> {
                /// `None` for an event of another topic.
                #[must_use]
                pub const fn of(event: &'a Event) -> Option<Self> {
                    match event {
                        $(Event::$variant(payload) => Some(Self::$variant(payload)),)*
                        _ => None,
                    }
                }
            }
        )*
    };
}

events! {
    Accounts as AccountsEvent {
        AccountOpened(AccountOpened) = "account.opened.v1";
        ApiKeyIssued(ApiKeyIssued) = "account.api_key_issued.v1";
        ApiKeyRevoked(ApiKeyRevoked) = "account.api_key_revoked.v1";
    }
    Credits as CreditsEvent {
        ContractCreated(ContractCreated) = "contract.created.v1";
        CreditsGranted(CreditsGranted) = "contract.credits_granted.v1";
        CreditsCharged(CreditsCharged) = "contract.credits_charged.v1";
        ContractEnded(ContractEnded) = "contract.ended.v1";
    }
    Reports as ReportsEvent {
        ReportReceived(ReportReceived) = "report.received.v1";
        ReportReviewed(ReportReviewed) = "report.under_review.v1";
        ReportAccepted(ReportAccepted) = "report.accepted.v1";
        ReportRejected(ReportRejected) = "report.rejected.v1";
        ReportCorrected(ReportCorrected) = "report.corrected.v1";
    }
    Builds as BuildsEvent {
        DataBuildStarted(DataBuildStarted) = "build.started.v1";
        DataBuildChunkStaged(DataBuildChunkStaged) = "build.chunk_staged.v1";
        DataBuildSealed(DataBuildSealed) = "build.sealed.v1";
        DataBuildLoaded(DataBuildLoaded) = "build.loaded.v1";
        DataBuildFailed(DataBuildFailed) = "build.failed.v1";
        DataBuildActivated(DataBuildActivated) = "build.activated.v1";
        DataBuildAbandoned(DataBuildAbandoned) = "build.abandoned.v1";
        DataBuildReindexed(DataBuildReindexed) = "build.reindexed.v1";
        DataBuildDropped(DataBuildDropped) = "build.dropped.v1";
    }
}

/// Why a stored or received event cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableEvent {
    /// No event type of this name is known.
    #[error("unknown event type {0}")]
    UnknownType(String),
    /// The payload does not fit the type.
    #[error("payload does not fit its event type")]
    Payload(#[from] serde_json::Error),
}

impl Event {
    /// The type on the wire (`ce_type`): the stored type, with the kind of record for received reports
    /// (`report.person.received.v1`).
    #[must_use]
    pub const fn wire_type(&self) -> &'static str {
        match self {
            Self::ReportReceived(report) => match report.subject_type {
                RecordKind::Person => "report.person.received.v1",
                RecordKind::Company => "report.company.received.v1",
            },
            other => other.stored_type(),
        }
    }

    /// The stored type behind a type on the wire.
    #[must_use]
    pub fn stored_type_of_wire(wire_type: &str) -> &str {
        match wire_type {
            "report.person.received.v1" | "report.company.received.v1" => "report.received.v1",
            other => other,
        }
    }

    /// The Kafka message key: events of one key stay in order in one partition.
    #[must_use]
    pub fn message_key(&self) -> String {
        match self {
            Self::AccountOpened(e) => e.account_id.to_string(),
            Self::ApiKeyIssued(e) => e.account_id.to_string(),
            Self::ApiKeyRevoked(e) => e.account_id.to_string(),
            Self::ContractCreated(e) => e.contract_id.to_string(),
            Self::CreditsGranted(e) => e.contract_id.to_string(),
            Self::CreditsCharged(e) => e.contract_id.to_string(),
            Self::ContractEnded(e) => e.contract_id.to_string(),
            Self::ReportReceived(e) => e.service_id.to_string(),
            Self::ReportReviewed(e) => e.service_id.to_string(),
            Self::ReportAccepted(e) => e.service_id.to_string(),
            Self::ReportRejected(e) => e.service_id.to_string(),
            Self::ReportCorrected(e) => e.service_id.to_string(),
            Self::DataBuildStarted(e) => e.build.to_string(),
            Self::DataBuildChunkStaged(e) => e.build.to_string(),
            Self::DataBuildSealed(e) => e.build.to_string(),
            Self::DataBuildLoaded(e) => e.build.to_string(),
            Self::DataBuildFailed(e) => e.build.to_string(),
            Self::DataBuildActivated(e) => e.build.to_string(),
            Self::DataBuildAbandoned(e) => e.build.to_string(),
            Self::DataBuildReindexed(e) => e.build.to_string(),
            Self::DataBuildDropped(e) => e.build.to_string(),
        }
    }
}
