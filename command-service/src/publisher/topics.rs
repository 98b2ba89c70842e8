//! Makes the topics of `events_schema::topics` with their settings, where they are missing. Those that are there already get the settings
//! of now from `topic_bounds`.

use std::time::Duration;

use events_schema::topics::{self, Retention, TopicSpec};
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

/// Longest wait for one answer of a broker.
const BROKER_TIMEOUT: Duration = Duration::from_secs(10);

/// Why the topics are not as they must be.
#[derive(Debug, thiserror::Error)]
pub enum TopicFault {
    /// No answer of a broker.
    #[error("Kafka is not reachable")]
    Kafka(#[from] KafkaError),
    /// A broker refused to make the topic.
    #[error("topic {0} could not be made: {1}")]
    Refused(String, RDKafkaErrorCode),
    /// The topic was made with another number of partitions: shards would not be where consumers look for them.
    #[error("topic {name} has {found} partitions, the setting TOPIC_PARTITIONS says {wanted}")]
    Partitions {
        /// The topic, with its prefix.
        name: String,
        /// As it is.
        found: usize,
        /// As it is set.
        wanted: i32,
    },
    /// The task that asked for the metadata ended early.
    #[error("the topics could not be looked up")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// How topics are named and made.
#[derive(Debug, Clone)]
pub struct TopicSettings {
    /// Stands before every name.
    pub prefix: String,
    /// Partitions of every topic.
    pub partitions: i32,
    /// Replicas of every topic.
    pub replication: i32,
    /// How long a message stays that a newer one of its key, or a tombstone, has replaced.
    pub compaction_lag: Duration,
    /// How long a tombstone stays after that, for consumers that were away.
    pub tombstone_retention: Duration,
}

impl TopicSettings {
    /// Settings of the topics that keep the newest message of each key. A segment is closed after half of the lag, so that a message
    /// that comes after all of it closes the segment as long as the clocks of the senders differ by less than the other half.
    pub(super) fn of_newest(&self) -> [(&'static str, String); 3] {
        let millis = |duration: Duration| duration.as_millis().max(1).to_string();
        [
            ("max.compaction.lag.ms", millis(self.compaction_lag)),
            ("segment.ms", millis(self.compaction_lag / 2)),
            ("delete.retention.ms", millis(self.tombstone_retention)),
        ]
    }
}

/// Makes what is missing and checks the number of partitions of what is there.
///
/// # Errors
/// [`TopicFault`]; nothing half-made stands in the way of a second try.
pub(super) async fn ensure(
    kafka: &ClientConfig,
    settings: &TopicSettings,
) -> Result<(), TopicFault> {
    let admin: AdminClient<DefaultClientContext> = kafka.create()?;
    let names: Vec<(TopicSpec, String)> = topics::all()
        .into_iter()
        .map(|spec| (spec, format!("{}{}", settings.prefix, spec.name)))
        .collect();
    let of_newest = settings.of_newest();
    let bounded = names.iter().map(|(spec, name)| {
        let bounds = match spec.retention {
            Retention::Everything => &[][..],
            Retention::NewestByKey => &of_newest,
        };
        new_topic(spec, name, settings, bounds)
    });
    let bounded: Vec<NewTopic<'_>> = bounded.collect();
    // By the rules of a broker for these settings: without them the topic is of use all the same.
    let refused = create(&admin, &bounded).await?;
    let is_refused = |name: &String| refused.iter().any(|(other, _)| other == name);
    let plain = names.iter().filter(|(_, name)| is_refused(name));
    let plain: Vec<NewTopic<'_>> = plain
        .map(|(spec, name)| new_topic(spec, name, settings, &[]))
        .collect();
    if !plain.is_empty()
        && let Some((name, code)) = create(&admin, &plain).await?.pop()
    {
        return Err(TopicFault::Refused(name, code));
    }
    let names = names.into_iter().map(|(_, name)| name).collect();
    check_partitions(admin, names, settings.partitions).await
}

/// Makes topics that are not there; those whose settings a broker does not take.
async fn create(
    admin: &AdminClient<DefaultClientContext>,
    topics: &[NewTopic<'_>],
) -> Result<Vec<(String, RDKafkaErrorCode)>, TopicFault> {
    let options = AdminOptions::new()
        .request_timeout(Some(BROKER_TIMEOUT))
        .operation_timeout(Some(BROKER_TIMEOUT));
    let mut refused = Vec::new();
    for made in admin.create_topics(topics, &options).await? {
        match made {
            Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
            Err((name, code)) => match code {
                RDKafkaErrorCode::InvalidConfig | RDKafkaErrorCode::PolicyViolation => {
                    refused.push((name, code));
                }
                code => return Err(TopicFault::Refused(name, code)),
            },
        }
    }
    Ok(refused)
}

fn new_topic<'a>(
    spec: &TopicSpec,
    name: &'a str,
    settings: &TopicSettings,
    bounds: &'a [(&'static str, String)],
) -> NewTopic<'a> {
    let topic = NewTopic::new(
        name,
        settings.partitions,
        TopicReplication::Fixed(settings.replication),
    );
    let own = spec.retention.settings().iter().copied();
    let bounds = bounds.iter().map(|(name, value)| (*name, value.as_str()));
    own.chain(bounds)
        .fold(topic, |topic, (name, value)| topic.set(name, value))
}

/// librdkafka's metadata call blocks, so it runs on a thread for blocking work.
async fn check_partitions(
    admin: AdminClient<DefaultClientContext>,
    names: Vec<String>,
    wanted: i32,
) -> Result<(), TopicFault> {
    tokio::task::spawn_blocking(move || {
        for name in names {
            let metadata = admin.inner().fetch_metadata(Some(&name), BROKER_TIMEOUT)?;
            let found = metadata
                .topics()
                .first()
                .map_or(0, |topic| topic.partitions().len());
            // A topic made a moment ago may not have reached this broker yet; sending waits for it.
            if found != 0 && i32::try_from(found) != Ok(wanted) {
                return Err(TopicFault::Partitions {
                    name,
                    found,
                    wanted,
                });
            }
        }
        Ok(())
    })
    .await?
}
