//! The Kafka topics: names, what they hold, and the settings they are made with.

use serde::{Deserialize, Serialize};

/// A topic of events: every event of the store goes to exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Topic {
    /// `accounts.v1`: accounts and API keys. Key: account id.
    #[serde(rename = "accounts.v1")]
    Accounts,
    /// `credits.v1`: contracts, grants and charges. Key: contract id.
    #[serde(rename = "credits.v1")]
    Credits,
    /// `reports.v1`: data-quality reports without their values. Key: service id.
    #[serde(rename = "reports.v1")]
    Reports,
    /// `builds.v1`: data builds. Key: build name.
    #[serde(rename = "builds.v1")]
    Builds,
}

/// How Kafka keeps a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// Everything, for ever (`retention.ms=-1`).
    Everything,
    /// The newest value of each key (`cleanup.policy=compact`); a tombstone erases.
    NewestByKey,
}

impl Retention {
    /// Settings of Kafka that say so, whatever the defaults of the broker are.
    #[must_use]
    pub const fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Everything => &[
                ("cleanup.policy", "delete"),
                ("retention.ms", "-1"),
                ("retention.bytes", "-1"),
            ],
            Self::NewestByKey => &[("cleanup.policy", "compact")],
        }
    }
}

/// Name and settings of a topic, from which services create it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopicSpec {
    /// Name, before any configured prefix.
    pub name: &'static str,
    /// What is kept.
    pub retention: Retention,
}

/// Values of reports (personal data), compacted, erased by a tombstone. Key: report id.
pub const REPORT_DETAILS: TopicSpec = TopicSpec {
    name: "report-details.v1",
    retention: Retention::NewestByKey,
};
/// The newest status of each report, compacted. Key: report id.
pub const REPORT_STATUS: TopicSpec = TopicSpec {
    name: "report-status.v1",
    retention: Retention::NewestByKey,
};

impl Topic {
    /// All topics of events. The order is part of the stored format (`shard_head.topic_seqs`).
    pub const ALL: [Self; 4] = [Self::Accounts, Self::Credits, Self::Reports, Self::Builds];

    /// Name, before any configured prefix.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts.v1",
            Self::Credits => "credits.v1",
            Self::Reports => "reports.v1",
            Self::Builds => "builds.v1",
        }
    }

    /// Place in [`Topic::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The topic with this name (without prefix).
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }
}

/// Every topic that the services make, with settings.
#[must_use]
pub fn all() -> Vec<TopicSpec> {
    Topic::ALL
        .into_iter()
        .map(|topic| TopicSpec {
            name: topic.name(),
            retention: Retention::Everything,
        })
        .chain([REPORT_DETAILS, REPORT_STATUS])
        .collect()
}
