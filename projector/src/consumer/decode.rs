//! From a Kafka message to an event: CloudEvents headers and a JSON value into an [`Envelope`].

use std::collections::BTreeMap;
use std::str::FromStr;

use events_schema::envelope::header;
use events_schema::history;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// A message as it came, in text, as far as it is text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raw {
    /// Headers by name.
    pub headers: BTreeMap<String, String>,
    /// The value.
    pub value: String,
}

/// One message of a partition.
#[derive(Debug, Clone)]
pub struct Received {
    /// Its topic.
    pub topic: Topic,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// Its Kafka key; empty if it has none.
    pub key: String,
    /// Headers and value.
    pub raw: Raw,
}

/// Where an event stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Slice of the event store.
    pub shard: Shard,
    /// Place in the shard.
    pub pos: i64,
    /// Place in the shard's part of the topic.
    pub topic_seq: i64,
    /// The history that it is of.
    pub history: i64,
    /// The request that it belongs to, if that could be read.
    pub request_id: Option<Uuid>,
}

impl Place {
    /// Where an event stands.
    #[must_use]
    pub const fn of(envelope: &Envelope) -> Self {
        Self {
            shard: envelope.shard,
            pos: envelope.pos,
            topic_seq: envelope.topic_seq,
            history: envelope.history,
            request_id: Some(envelope.request_id),
        }
    }
}

/// Why a message is no event.
#[derive(Debug, thiserror::Error)]
pub enum Undecodable {
    /// A header is missing or has another form.
    #[error("header {0} is missing or not readable")]
    Header(&'static str),
    /// The value is no event of its type.
    #[error(transparent)]
    Event(#[from] events_schema::event::UnreadableEvent),
    /// The value is not JSON. The text of the fault is left out: it may quote the value.
    #[error("the value is not JSON")]
    Json,
    /// The event belongs to another topic.
    #[error("the event does not belong to this topic")]
    OtherTopic,
}

impl Raw {
    /// Where the event stands, by its headers alone; none where even they cannot be read.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        Some(Place {
            shard: self.shard().ok()?,
            pos: self.parse(header::POS).ok()?,
            topic_seq: self.parse(header::SEQUENCE).ok()?,
            history: self.history().ok()?,
            request_id: self.parse(header::REQUEST_ID).ok(),
        })
    }

    /// The event type on the wire, empty if there is none.
    #[must_use]
    pub fn event_type(&self) -> &str {
        self.headers.get(header::TYPE).map_or("", String::as_str)
    }

    /// The event.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn decode(&self, topic: Topic) -> Result<Envelope, Undecodable> {
        let payload: Value = serde_json::from_str(&self.value).map_err(|_| Undecodable::Json)?;
        let stored_type = Event::stored_type_of_wire(self.text(header::TYPE)?);
        let event = Event::from_parts(stored_type, payload)?;
        if event.topic() != topic {
            return Err(Undecodable::OtherTopic);
        }
        Ok(Envelope {
            shard: self.shard()?,
            pos: self.parse(header::POS)?,
            history: self.history()?,
            topic_seq: self.parse(header::SEQUENCE)?,
            aggregate_id: self.parse(header::AGGREGATE_ID)?,
            seq: self.parse(header::SEQ)?,
            occurred_at: self.parse(header::TIME)?,
            request_id: self.parse(header::REQUEST_ID)?,
            actor: self.text(header::ACTOR)?.to_owned(),
            traceparent: self.headers.get(header::TRACEPARENT).cloned(),
            event,
        })
    }

    fn text(&self, name: &'static str) -> Result<&str, Undecodable> {
        self.headers
            .get(name)
            .map(String::as_str)
            .ok_or(Undecodable::Header(name))
    }

    fn parse<T: FromStr>(&self, name: &'static str) -> Result<T, Undecodable> {
        self.text(name)?
            .parse()
            .map_err(|_| Undecodable::Header(name))
    }

    /// Messages from before there were histories do not name one.
    fn history(&self) -> Result<i64, Undecodable> {
        if self.headers.contains_key(header::HISTORY) {
            self.parse(header::HISTORY)
        } else {
            Ok(history::FIRST)
        }
    }

    fn shard(&self) -> Result<Shard, Undecodable> {
        Shard::new(self.parse(header::SHARD)?).ok_or(Undecodable::Header(header::SHARD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw() -> Raw {
        let headers = [
            (header::TYPE, "account.opened.v1"),
            (header::SHARD, "5"),
            (header::POS, "9"),
            (header::SEQUENCE, "3"),
            (header::SEQ, "1"),
            (header::AGGREGATE_ID, "00000000-0000-0000-0000-00000000000a"),
            (header::REQUEST_ID, "00000000-0000-0000-0000-00000000000b"),
            (header::TIME, "2026-10-02T08:00:00.000001Z"),
            (header::ACTOR, "operator:ops"),
        ];
        Raw {
            headers: headers
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            value: r#"{"account_id":"00000000-0000-8005-8000-00000000000a","name":"Acme"}"#.into(),
        }
    }

    #[test]
    fn a_message_becomes_the_event_that_was_stored() {
        let envelope = raw().decode(Topic::Accounts).unwrap();
        assert_eq!(
            (envelope.shard.number(), envelope.pos, envelope.topic_seq),
            (5, 9, 3)
        );
        assert_eq!(envelope.event.stored_type(), "account.opened.v1");
        assert_eq!(envelope.history, history::FIRST);
        let mut later = raw();
        later
            .headers
            .insert(header::HISTORY.into(), "1795262460".into());
        assert_eq!(
            later.decode(Topic::Accounts).unwrap().history,
            1_795_262_460
        );
        assert_eq!(envelope.occurred_at.timestamp_subsec_micros(), 1);
    }

    #[test]
    fn a_broken_value_keeps_its_place_and_its_type() {
        let broken = Raw {
            value: "{".into(),
            ..raw()
        };
        assert!(matches!(
            broken.decode(Topic::Accounts),
            Err(Undecodable::Json)
        ));
        assert_eq!(broken.place().unwrap().topic_seq, 3);
        assert_eq!(broken.event_type(), "account.opened.v1");
    }

    #[test]
    fn a_message_without_readable_headers_has_no_place() {
        let mut lost = raw();
        lost.headers.insert(header::SHARD.into(), "64".into());
        assert_eq!(lost.place(), None);
        assert!(lost.decode(Topic::Accounts).is_err());
        lost.headers.clear();
        assert_eq!(lost.event_type(), "");
    }

    #[test]
    fn an_event_in_a_foreign_topic_is_refused() {
        assert!(matches!(
            raw().decode(Topic::Credits),
            Err(Undecodable::OtherTopic)
        ));
    }
}
