//! What each place says about the credits of a contract: event store, topic, read model, command-service.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use events_schema::envelope::header;
use events_schema::topics::Topic;
use rdkafka::admin::{AdminClient, AdminOptions};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{BorrowedMessage, Headers, Message};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};
use serde_json::Value;

use crate::follow::{marks_of, next};
use crate::stack::Stack;

/// Sums of one contract in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums {
    /// Credits granted, the first ones included.
    pub granted: i64,
    /// Credits charged.
    pub charged: i64,
    /// Number of charges.
    pub charges: i64,
}

/// One message of a topic of events.
#[derive(Debug, Clone)]
pub struct Published {
    /// `ce_id`.
    pub id: String,
    /// `ce_type`.
    pub event_type: String,
    /// Shard.
    pub shard: u8,
    /// Place in the shard's part of the topic.
    pub topic_seq: i64,
    /// The payload.
    pub payload: Value,
}

/// What the topics of events hold, seen as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Topics {
    /// Events, each once.
    pub events: usize,
    /// Messages above them: sent again, since nobody had noted that they were sent.
    pub repeats: usize,
}

const STORED: &str =
    "select shard || '-' || pos as id, topic_seq from event where topic = $1 order by shard, pos";
const GRANTS: &str = "select coalesce(sum((payload->>'credits')::bigint), 0)::bigint from event
    where aggregate_id = $1::uuid and event_type in ('contract.created.v1', 'contract.credits_granted.v1')";
const CHARGES: &str =
    "select coalesce(sum((payload->>'credits')::bigint), 0)::bigint, count(*) from event
    where aggregate_id = $1::uuid and event_type = 'contract.credits_charged.v1'";
const LEDGER: &str = "select coalesce(sum(credits) filter (where kind = 'grant'), 0)::bigint,
    coalesce(sum(credits) filter (where kind = 'charge'), 0)::bigint, count(*) filter (where kind = 'charge')
    from ledger where contract_id = $1::uuid";

impl Stack {
    /// What the events in the store add up to.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sums_in_store(&self, contract: &str) -> anyhow::Result<Sums> {
        let granted: i64 = sqlx::query_scalar(GRANTS)
            .bind(contract)
            .fetch_one(self.event_store())
            .await?;
        let (charged, charges): (i64, i64) = sqlx::query_as(CHARGES)
            .bind(contract)
            .fetch_one(self.event_store())
            .await?;
        Ok(Sums {
            granted,
            charged,
            charges,
        })
    }

    /// What the read model's ledger adds up to.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn sums_in_ledger(&self, contract: &str) -> anyhow::Result<Sums> {
        let (granted, charged, charges): (i64, i64, i64) = sqlx::query_as(LEDGER)
            .bind(contract)
            .fetch_one(self.read_model())
            .await?;
        Ok(Sums {
            granted,
            charged,
            charges,
        })
    }

    /// What the messages of `credits.v1` add up to, repeats taken once.
    ///
    /// # Errors
    /// When the topic cannot be read, or has a gap.
    pub async fn sums_in_topic(&self, contract: &str) -> anyhow::Result<Sums> {
        let mut sums = Sums {
            granted: 0,
            charged: 0,
            charges: 0,
        };
        for message in self.topic(Topic::Credits).await? {
            if message.payload.get("contract_id").and_then(Value::as_str) != Some(contract) {
                continue;
            }
            if message.event_type == "contract.ended.v1" {
                continue;
            }
            let credits = message
                .payload
                .get("credits")
                .and_then(Value::as_i64)
                .context("no credits")?;
            if message.event_type == "contract.credits_charged.v1" {
                sums.charged += credits;
                sums.charges += 1;
            } else {
                sums.granted += credits;
            }
        }
        Ok(sums)
    }

    /// Proves that event store, topic, ledger and balance agree on a contract, and gives the sums.
    ///
    /// # Errors
    /// When they differ: with all of them.
    pub async fn prove_sums(&mut self, contract: &str) -> anyhow::Result<Sums> {
        self.until_projected().await?;
        let store = self.sums_in_store(contract).await?;
        let topic = self.sums_in_topic(contract).await?;
        let ledger = self.sums_in_ledger(contract).await?;
        let shown = self.roster(&["contract", "show", contract]).await?;
        let balance = shown.get("credits_remaining").and_then(Value::as_i64);
        let last = "select balance_after(event_type, payload) from event where aggregate_id = $1::uuid order by seq desc limit 1";
        let kept: i64 = sqlx::query_scalar(last)
            .bind(contract)
            .fetch_one(self.event_store())
            .await?;
        let wanted = store.granted - store.charged;
        ensure!(
            store == topic && store == ledger && balance == Some(wanted) && kept == wanted,
            "store {store:?}, topic {topic:?}, ledger {ledger:?}, shown balance {balance:?}, kept balance {kept}"
        );
        Ok(store)
    }

    /// Has Kafka lose one of the stack's topics with all that is in it.
    ///
    /// # Errors
    /// When Kafka refuses.
    pub async fn delete_topic(&self, topic: Topic) -> anyhow::Result<()> {
        let admin: AdminClient<DefaultClientContext> = ClientConfig::new()
            .set("bootstrap.servers", &self.kafka_brokers)
            .create()?;
        let name = format!("{}{}", self.topic_prefix, topic.name());
        let options = AdminOptions::new().operation_timeout(Some(Duration::from_secs(10)));
        for deleted in admin.delete_topics(&[&name], &options).await? {
            deleted.map_err(|(name, code)| anyhow::anyhow!("{name}: {code}"))?;
        }
        Ok(())
    }

    /// Proves that every topic holds every event of the store at least once: in the order of the store, under its one `ce_id`, each repeat the
    /// same message again.
    ///
    /// # Errors
    /// When a topic cannot be read, has a gap, or holds anything else.
    pub async fn prove_topics(&self) -> anyhow::Result<Topics> {
        let mut all = Topics::default();
        for (number, topic) in Topic::ALL.iter().enumerate() {
            let stored: Vec<(String, i64)> = sqlx::query_as(STORED)
                .bind(i16::try_from(number)?)
                .fetch_all(self.event_store())
                .await?;
            let messages = self.messages(*topic).await?;
            let mut first: BTreeMap<(u8, i64), &Published> = BTreeMap::new();
            for message in &messages {
                let place = (message.shard, message.topic_seq);
                let before = *first.entry(place).or_insert(message);
                ensure!(
                    before.id == message.id && before.payload == message.payload,
                    "{topic:?} has two messages at {place:?}: {before:?} and {message:?}"
                );
            }
            // Proves on its way that each shard counts up without a gap.
            let once = each_once(messages.clone())?;
            let published: BTreeMap<_, _> = once
                .iter()
                .map(|message| (message.id.as_str(), message.topic_seq))
                .collect();
            for (id, topic_seq) in &stored {
                ensure!(
                    published.get(id.as_str()) == Some(topic_seq),
                    "{topic:?} does not hold {id} at {topic_seq}"
                );
            }
            ensure!(
                stored.len() == published.len(),
                "{topic:?} holds {} events, the store {}",
                published.len(),
                stored.len()
            );
            all.events += stored.len();
            all.repeats += messages.len() - published.len();
        }
        Ok(all)
    }

    /// All messages of a topic from its beginning, each once, in order and without a gap in any shard.
    ///
    /// # Errors
    /// When the topic cannot be read, or a shard has a gap.
    pub async fn topic(&self, topic: Topic) -> anyhow::Result<Vec<Published>> {
        each_once(self.messages(topic).await?)
    }

    /// How many messages of a topic are there once more by now.
    ///
    /// # Errors
    /// When the topic cannot be read.
    pub async fn repeats(&self, topic: Topic) -> anyhow::Result<usize> {
        let messages = self.messages(topic).await?;
        let events: BTreeSet<_> = messages.iter().map(|message| &message.id).collect();
        Ok(messages.len() - events.len())
    }

    /// All messages of a topic from its beginning, as they lie there.
    async fn messages(&self, topic: Topic) -> anyhow::Result<Vec<Published>> {
        let brokers = self.kafka_brokers.clone();
        let name = format!("{}{}", self.topic_prefix, topic.name());
        tokio::task::spawn_blocking(move || read_topic(&brokers, &name)).await?
    }
}

/// The messages without their repeats.
fn each_once(messages: Vec<Published>) -> anyhow::Result<Vec<Published>> {
    let mut last: BTreeMap<u8, i64> = BTreeMap::new();
    let mut once = Vec::new();
    for message in messages {
        let last = last.entry(message.shard).or_default();
        ensure!(
            message.topic_seq <= *last + 1,
            "gap in shard {}: {last} then {}",
            message.shard,
            message.topic_seq
        );
        if message.topic_seq == *last + 1 {
            *last += 1;
            once.push(message);
        }
    }
    Ok(once)
}

/// Reads every partition up to the end that it has now.
fn read_topic(brokers: &str, name: &str) -> anyhow::Result<Vec<Published>> {
    let limit = Duration::from_secs(20);
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", brokers)
        .set("group.id", "system-tests")
        .set("enable.auto.commit", "false")
        .create()?;
    let metadata = consumer.fetch_metadata(Some(name), limit)?;
    let partitions = metadata
        .topics()
        .first()
        .context("no such topic")?
        .partitions();
    let mut assignment = TopicPartitionList::new();
    let mut ends = HashMap::new();
    for partition in partitions {
        let (_, end) = marks_of(&consumer, name, partition.id(), limit)?;
        if end > 0 {
            assignment.add_partition_offset(name, partition.id(), Offset::Beginning)?;
            ends.insert(partition.id(), end);
        }
    }
    consumer.assign(&assignment)?;
    let until = Instant::now() + limit;
    let mut messages = Vec::new();
    while !ends.is_empty() {
        ensure!(
            Instant::now() < until,
            "the topic {name} could not be read to its end"
        );
        let Some(message) = next(&consumer, Duration::from_millis(100))? else {
            continue;
        };
        if ends
            .get(&message.partition())
            .is_some_and(|end| message.offset() + 1 >= *end)
        {
            ends.remove(&message.partition());
        }
        messages.push(published(&message)?);
    }
    Ok(messages)
}

fn published(message: &BorrowedMessage<'_>) -> anyhow::Result<Published> {
    let mut headers = HashMap::new();
    for header in message.headers().context("no headers")?.iter() {
        let value = header
            .value
            .map(String::from_utf8_lossy)
            .unwrap_or_default();
        headers.insert(header.key, value.into_owned());
    }
    let header = |name: &str| {
        headers
            .get(name)
            .with_context(|| format!("no header {name}"))
    };
    Ok(Published {
        id: header(header::ID)?.clone(),
        event_type: header(header::TYPE)?.clone(),
        shard: header(header::SHARD)?.parse()?,
        topic_seq: header(header::SEQUENCE)?.parse()?,
        payload: serde_json::from_slice(message.payload().context("no payload")?)?,
    })
}
