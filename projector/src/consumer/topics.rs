//! Topics are made by the services, with the settings of events-schema, whichever starts first.

use std::time::Duration;

use events_schema::topics;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use crate::config::KafkaConfig;
use crate::consumer::kafka;

/// A broker that does not answer is asked again by the next session: the client itself would wait for a minute.
const BROKER_TIMEOUT: Duration = Duration::from_secs(10);

/// Makes every topic that is missing; those that are there stay as they are.
///
/// # Errors
/// When Kafka cannot be reached or refuses.
pub async fn create_missing(config: &KafkaConfig) -> Result<(), KafkaError> {
    let admin: AdminClient<DefaultClientContext> = kafka::settings(config).create()?;
    let specs = topics::all();
    let names: Vec<String> = specs.iter().map(|spec| config.topic(spec.name)).collect();
    let wanted: Vec<NewTopic<'_>> = specs
        .iter()
        .zip(&names)
        .map(|(spec, name)| {
            // -1: the broker's own default replication.
            let topic = NewTopic::new(name, config.partitions, TopicReplication::Fixed(-1));
            let settings = spec.retention.settings().iter();
            settings.fold(topic, |topic, (name, value)| topic.set(name, value))
        })
        .collect();
    let options = AdminOptions::new()
        .request_timeout(Some(BROKER_TIMEOUT))
        .operation_timeout(Some(BROKER_TIMEOUT));
    for outcome in admin.create_topics(&wanted, &options).await? {
        match outcome {
            Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
            Err((_, code)) => return Err(KafkaError::AdminOp(code)),
        }
    }
    Ok(())
}
