//! Gives the topics that keep the newest message of a key, those of an earlier version too, the settings that bound how long anything else
//! of that key stays.
//!
//! Beside the publishing, and behind the first tombstones: a broker that is slow to say how its topics are set, or that does not let this
//! service set them, is no reason to publish nothing.

use std::time::{Duration, Instant};

use events_schema::topics::{self, Retention};
use rdkafka::admin::{
    AdminClient, AdminOptions, AlterConfig, ConfigResource, ConfigSource, ResourceSpecifier,
};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use super::topics::TopicSettings;

/// Longest wait for one answer of a broker: the next tombstone waits for it.
const BROKER_TIMEOUT: Duration = Duration::from_secs(3);

/// Settings that were there are looked at again after this, while something rests on them.
const SET_FOR: Duration = Duration::from_secs(60);
/// What Kafka refused is tried again after this.
const REFUSED_FOR: Duration = Duration::from_secs(600);

/// Said at each try, until Kafka lets this service set them or somebody else does.
const UNBOUNDED: &str = "the settings of a topic could not be read or changed: Kafka may keep erased values for longer than docs/REPORTS.md says";

/// Whether the topics have their settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bounds {
    /// They have.
    Set,
    /// It is not known yet.
    Unknown,
    /// Kafka does not let this service read or set them.
    Refused,
}

/// What was found last, and when.
#[derive(Debug, Default)]
pub(super) struct TopicBounds(Option<(Bounds, Instant)>);

impl TopicBounds {
    /// Whether the topics have their settings; looks where that is not known, or is needed and may be otherwise by now.
    pub(super) async fn are_set(
        &mut self,
        kafka: &ClientConfig,
        settings: &TopicSettings,
        are_needed: bool,
    ) -> bool {
        let is_known = self.0.is_some_and(|(found, at)| match found {
            Bounds::Unknown => false,
            Bounds::Set => !are_needed || at.elapsed() < SET_FOR,
            Bounds::Refused => !are_needed || at.elapsed() < REFUSED_FOR,
        });
        if !is_known {
            let found = bound(kafka, settings).await.unwrap_or_else(|fault| {
                tracing::warn!(%fault, "the settings of the topics are not known yet");
                Bounds::Unknown
            });
            self.0 = Some((found, Instant::now()));
        }
        self.0.is_some_and(|(found, _)| found == Bounds::Set)
    }
}

async fn bound(kafka: &ClientConfig, settings: &TopicSettings) -> Result<Bounds, KafkaError> {
    let admin: AdminClient<DefaultClientContext> = kafka.create()?;
    let found = look(&admin, settings).await;
    // It ends a thread, for which it waits.
    tokio::task::spawn_blocking(move || drop(admin));
    found
}

/// Reads the settings, and alters what differs.
async fn look(
    admin: &AdminClient<DefaultClientContext>,
    settings: &TopicSettings,
) -> Result<Bounds, KafkaError> {
    let options = AdminOptions::new()
        .request_timeout(Some(BROKER_TIMEOUT))
        .operation_timeout(Some(BROKER_TIMEOUT));
    let specs = topics::all().into_iter();
    let newest = specs.filter(|spec| spec.retention == Retention::NewestByKey);
    let newest: Vec<String> = newest
        .map(|spec| format!("{}{}", settings.prefix, spec.name))
        .collect();
    let resources: Vec<_> = newest
        .iter()
        .map(|name| ResourceSpecifier::Topic(name))
        .collect();
    let described = admin.describe_configs(&resources, &options).await?;
    let wanted = settings.of_newest();
    let mut bounds = Bounds::Set;
    for (name, found) in newest.iter().zip(described) {
        let set = match found {
            Ok(found) if has_all(&found, &wanted) => continue,
            Ok(found) => {
                let alter = altered(name, &found, &wanted);
                let mut altered = admin.alter_configs([&alter], &options).await?;
                altered
                    .pop()
                    .map_or(Ok(()), |done| done.map(|_| ()).map_err(|(_, code)| code))
            }
            Err(code) => Err(code),
        };
        match set {
            // They hold when a later look finds them: brokers take them over one after the other.
            Ok(()) => {
                tracing::info!(topic = name, "the settings of a topic were changed");
                bounds = bounds.max(Bounds::Unknown);
            }
            // Made a moment ago.
            Err(RDKafkaErrorCode::UnknownTopicOrPartition) => return Ok(Bounds::Unknown),
            Err(code) => {
                tracing::error!(topic = name, %code, "{UNBOUNDED}");
                bounds = bounds.max(Bounds::Refused);
            }
        }
    }
    Ok(bounds)
}

fn has_all(found: &ConfigResource, wanted: &[(&'static str, String)]) -> bool {
    wanted.iter().all(|(name, value)| {
        let entry = found.get(name);
        entry.is_some_and(|entry| entry.value.as_ref() == Some(value))
    })
}

/// Everything that is set for the topic: what an alteration leaves out goes back to its default.
fn altered<'a>(
    name: &'a str,
    found: &'a ConfigResource,
    wanted: &'a [(&'static str, String)],
) -> AlterConfig<'a> {
    let own = found.entries.iter().filter_map(|entry| {
        let value = entry.value.as_deref()?;
        let is_own = entry.source == ConfigSource::DynamicTopic
            && wanted.iter().all(|(name, _)| *name != entry.name);
        is_own.then_some((entry.name.as_str(), value))
    });
    let wanted = wanted.iter().map(|(name, value)| (*name, value.as_str()));
    let alter = AlterConfig::new(ResourceSpecifier::Topic(name));
    own.chain(wanted)
        .fold(alter, |alter, (name, value)| alter.set(name, value))
}
