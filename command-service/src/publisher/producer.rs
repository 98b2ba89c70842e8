//! The idempotent Kafka producer behind all shards of this instance.
//!
//! Guarantee: messages of one shard that are enqueued in order reach their partition in order, or a delivery fails and
//! nothing enqueued after it is delivered by the same session. librdkafka itself tries for ever; what still fails is
//! permanent for the session, so the session is purged and a new one takes its place.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures::channel::oneshot;
use rdkafka::config::ClientConfig;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{DeliveryFuture, FutureProducer, FutureRecord, Producer, PurgeConfig};
use service_kit::kafka::KafkaAddress;

use super::message::Message;

/// Pause when the producer's queue is full.
const QUEUE_FULL_PAUSE: Duration = Duration::from_millis(20);
/// How long a stop waits for what is still in the queue.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a message is not in its topic.
#[derive(Debug, thiserror::Error)]
pub enum SendFault {
    /// Kafka refused it, or the session was purged.
    #[error("Kafka did not take a message")]
    Kafka(#[from] KafkaError),
    /// The session ended before the answer came.
    #[error("the producer ended before its answer")]
    Cancelled(#[from] oneshot::Canceled),
}

/// Settings of a producer that never reorders and never gives up by itself.
pub(super) fn settings(kafka: &KafkaAddress, queue_messages: usize) -> ClientConfig {
    let mut config: ClientConfig = kafka.settings().collect();
    config
        .set("client.id", "command-service")
        .set("enable.idempotence", "true")
        .set("acks", "all")
        // A failed message may never be followed by a delivered one of the same partition.
        .set("enable.gapless.guarantee", "true")
        // A broker that knows nothing of a producer takes whatever sequence it sends first. Of several requests on their way to a new
        // partition the first may be refused, since it has no leader yet, and a later one taken: librdkafka then counts the first as
        // taken, too (KAFKA-15591). One at a time has no later one, and is no slower here: a request holds all that waits.
        .set("max.in.flight.requests.per.connection", "1")
        // Zero is for ever: while Kafka is away, events wait in order.
        .set("message.timeout.ms", "0")
        // How long a topic that no broker knows may be on its way to them; then it counts as lost and is made again.
        .set("topic.metadata.propagation.max.ms", "5000")
        // Shards have partitions of their own, so that a request holds few messages of each: what a broker and its readers do for one
        // costs more than what is in it. At 1,000 charges a second 2 ms cost them twice as much of a CPU.
        .set("linger.ms", "10")
        .set("compression.type", "lz4")
        .set("queue.buffering.max.messages", queue_messages.to_string())
        .set("queue.buffering.max.kbytes", "262144")
        .set("reconnect.backoff.max.ms", "2000")
        .set("socket.keepalive.enable", "true");
    config
}

/// One life of the producer.
pub(super) struct Session {
    /// Only `None` while it is dropped.
    producer: Option<FutureProducer>,
    /// Whether messages may be enqueued. Held for reading while one is, so that none slips in behind a purge: it would
    /// reach Kafka before those that the purge took out, which are older.
    is_open: RwLock<bool>,
}

impl Session {
    fn open(config: &ClientConfig) -> Result<Self, KafkaError> {
        Ok(Self {
            producer: Some(config.create()?),
            is_open: RwLock::new(true),
        })
    }

    /// Lets nothing in any more and fails everything that is not delivered yet.
    fn close(&self) {
        let mut is_open = self.is_open.write().unwrap_or_else(PoisonError::into_inner);
        *is_open = false;
        if let Some(producer) = &self.producer {
            producer.purge(PurgeConfig::default().queue().inflight());
        }
    }

    /// Puts a message into the producer's queue; waits while it is full. Messages of one caller keep their order.
    pub(super) async fn enqueue(
        &self,
        topic: &str,
        partition: i32,
        message: &Message,
    ) -> Result<DeliveryFuture, SendFault> {
        let Some(producer) = &self.producer else {
            return Err(KafkaError::Canceled.into());
        };
        let mut record = FutureRecord::to(topic)
            .partition(partition)
            .key(&message.key)
            .timestamp(message.timestamp)
            .headers(headers(message));
        if let Some(value) = &message.value {
            record = record.payload(value);
        }
        loop {
            match self.send_if_open(producer, record) {
                Ok(delivery) => return Ok(delivery),
                Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) => {
                    record = back;
                    tokio::time::sleep(QUEUE_FULL_PAUSE).await;
                }
                Err((fault, _)) => return Err(fault.into()),
            }
        }
    }

    #[expect(
        clippy::result_large_err,
        reason = "the shape of rdkafka's own send, which gives the record back"
    )]
    fn send_if_open<'a>(
        &self,
        producer: &FutureProducer,
        record: Record<'a>,
    ) -> Result<DeliveryFuture, (KafkaError, Record<'a>)> {
        let is_open = self.is_open.read().unwrap_or_else(PoisonError::into_inner);
        if *is_open {
            producer.send_result(record)
        } else {
            Err((KafkaError::Canceled, record))
        }
    }
}

type Record<'a> = FutureRecord<'a, String, Vec<u8>>;

fn headers(message: &Message) -> OwnedHeaders {
    let empty = OwnedHeaders::new_with_capacity(message.headers.len());
    message.headers.iter().fold(empty, |headers, (key, value)| {
        headers.insert(Header {
            key,
            value: Some(value),
        })
    })
}

/// Dropping librdkafka's handle joins its thread and may wait for half a second: never on a thread of the runtime.
impl Drop for Session {
    fn drop(&mut self) {
        let producer = self.producer.take();
        std::thread::spawn(move || drop(producer));
    }
}

/// Waits until Kafka has a message.
pub(super) async fn delivered(delivery: DeliveryFuture) -> Result<(), SendFault> {
    match delivery.await? {
        Ok(_) => Ok(()),
        Err((fault, _)) => Err(fault.into()),
    }
}

/// The current session, shared by all shards.
pub(super) struct Link {
    config: ClientConfig,
    current: RwLock<Arc<Session>>,
}

impl Link {
    /// # Errors
    /// When a setting is not one of librdkafka's. No broker needs to be reachable.
    pub(super) fn open(config: ClientConfig) -> Result<Self, KafkaError> {
        let session = Session::open(&config)?;
        Ok(Self {
            config,
            current: RwLock::new(Arc::new(session)),
        })
    }

    pub(super) fn config(&self) -> &ClientConfig {
        &self.config
    }

    pub(super) fn session(&self) -> Arc<Session> {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Purges a session in which a delivery failed and puts a new one in its place. Only the first caller of a session
    /// does it and is told `true`.
    ///
    /// # Errors
    /// When librdkafka cannot make a producer.
    pub(super) fn replace(&self, broken: &Arc<Session>) -> Result<bool, KafkaError> {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&current, broken) {
            return Ok(false);
        }
        *current = Arc::new(Session::open(&self.config)?);
        drop(current);
        broken.close();
        Ok(true)
    }

    /// Sends what is still in the queue, for at most a few seconds. Blocks.
    pub(super) fn flush(&self) {
        if let Some(producer) = &self.session().producer
            && producer.flush(FLUSH_TIMEOUT).is_err()
        {
            tracing::warn!("events were still unsent at the stop; they are sent at the next start");
        }
    }
}

#[cfg(test)]
mod tests {
    use rdkafka::consumer::{BaseConsumer, Consumer};
    use rdkafka::message::Message as _;
    use rdkafka::mocking::MockCluster;
    use rdkafka::types::{RDKafkaApiKey, RDKafkaConfRes, RDKafkaRespErr};
    use rdkafka::{Offset, TopicPartitionList};

    use super::*;

    const TOPIC: &str = "credits.v1";

    fn message(number: i64) -> Message {
        Message {
            topic: TOPIC,
            key: "key".to_owned(),
            value: Some(number.to_string().into_bytes()),
            headers: Vec::new(),
            timestamp: 0,
        }
    }

    #[test]
    fn librdkafka_knows_every_property_of_a_connection() {
        let is_unknown = |name: &str| {
            let set = ClientConfig::new().set(name, "1").create_native_config();
            let unknown = RDKafkaConfRes::RD_KAFKA_CONF_UNKNOWN;
            matches!(set, Err(KafkaError::ClientConfig(why, ..)) if why == unknown)
        };
        for name in service_kit::kafka::PROPERTIES {
            assert!(!is_unknown(name), "{name}");
        }
        assert!(is_unknown("sasl.pasword"));
    }

    fn read(brokers: &str, count: usize) -> Vec<i64> {
        let consumer: BaseConsumer = ClientConfig::new()
            .set("bootstrap.servers", brokers)
            .set("group.id", "unused")
            .create()
            .unwrap();
        let mut partitions = TopicPartitionList::new();
        partitions
            .add_partition_offset(TOPIC, 0, Offset::Beginning)
            .unwrap();
        consumer.assign(&partitions).unwrap();
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        let mut read = Vec::new();
        while read.len() < count && std::time::Instant::now() < deadline {
            if let Some(Ok(message)) = consumer.poll(Duration::from_millis(100)) {
                let value = message.payload_view::<str>().unwrap().unwrap();
                read.push(value.parse().unwrap());
            }
        }
        read
    }

    /// The schedule of a partition that was made a moment ago: its broker refuses the first request, and would take the next ones.
    #[tokio::test(flavor = "multi_thread")]
    async fn what_follows_a_refused_message_waits_for_it() {
        let cluster = MockCluster::new(1).unwrap();
        cluster.create_topic(TOPIC, 1, 1).unwrap();
        let brokers = cluster.bootstrap_servers();
        let kafka = KafkaAddress::from(brokers.clone());
        let session = Session::open(&settings(&kafka, 1_000)).unwrap();
        let first = session.enqueue(TOPIC, 0, &message(0)).await.unwrap();
        // The connection is there.
        delivered(first).await.unwrap();
        cluster
            .broker_round_trip_time(1, Duration::from_millis(100))
            .unwrap();
        cluster.request_errors(
            RDKafkaApiKey::Produce,
            &[RDKafkaRespErr::RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION],
        );
        let mut deliveries = Vec::new();
        for number in 1..=10 {
            deliveries.push(session.enqueue(TOPIC, 0, &message(number)).await.unwrap());
            // Each goes its own way: longer than the producer waits for more, shorter than the way of the first.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        for delivery in deliveries {
            delivered(delivery).await.unwrap();
        }
        let came = tokio::task::spawn_blocking(move || read(&brokers, 11));
        assert_eq!(came.await.unwrap(), (0..=10).collect::<Vec<_>>());
    }
}
