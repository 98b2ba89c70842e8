//! How Kafka is reached: its brokers, and what a cluster asks of its clients, such as TLS and SASL.
//!
//! What it asks stands in a file of librdkafka's properties, since passwords are among it. Only properties of the connection are
//! taken from there: how often, in which order and how surely messages are sent and read is no setting.

use std::fmt;
use std::str::FromStr;

use crate::config::Secret;

/// The longest file of properties; certificates stand in files of their own.
const MAX_FILE_BYTES: u64 = 64 * 1024;
/// What may stand in it. By whole names: librdkafka's own refusal of another one quotes its value, which may be a password.
pub const PROPERTIES: &[&str] = &[
    "security.protocol",
    "sasl.mechanism",
    "sasl.mechanisms",
    "sasl.username",
    "sasl.password",
    "ssl.ca.location",
    "ssl.crl.location",
    "ssl.certificate.location",
    "ssl.key.location",
    "ssl.key.password",
    "ssl.keystore.location",
    "ssl.keystore.password",
    "ssl.cipher.suites",
    "ssl.curves.list",
    "ssl.sigalgs.list",
    "ssl.endpoint.identification.algorithm",
    "enable.ssl.certificate.verification",
    "broker.address.family",
    "client.dns.lookup",
    "socket.connection.setup.timeout.ms",
    "connections.max.idle.ms",
];

/// Where Kafka is.
#[derive(Clone)]
pub struct KafkaAddress {
    brokers: String,
    properties: KafkaProperties,
}

/// Properties of the connection. Parsed of the path of their file: a property a line, `name=value`, `#` before a comment.
#[derive(Clone, Default)]
pub struct KafkaProperties(Vec<(String, Secret<String>)>);

impl KafkaAddress {
    /// `host:port`, comma separated, with what the cluster asks for.
    #[must_use]
    pub const fn new(brokers: String, properties: KafkaProperties) -> Self {
        Self {
            brokers,
            properties,
        }
    }

    /// Names and values that every client of librdkafka begins with.
    pub fn settings(&self) -> impl Iterator<Item = (String, String)> {
        let brokers = ("bootstrap.servers".to_owned(), self.brokers.clone());
        let properties = self.properties.0.iter();
        let properties = properties.map(|(name, value)| (name.clone(), value.expose().clone()));
        std::iter::once(brokers).chain(properties)
    }
}

impl From<String> for KafkaAddress {
    fn from(brokers: String) -> Self {
        Self::new(brokers, KafkaProperties::default())
    }
}

impl fmt::Debug for KafkaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.properties.0.iter().map(|(name, _)| name);
        f.debug_struct("KafkaAddress")
            .field("brokers", &self.brokers)
            .field("properties", &names.collect::<Vec<_>>())
            .finish()
    }
}

impl FromStr for KafkaProperties {
    type Err = String;

    fn from_str(path: &str) -> Result<Self, String> {
        let size = std::fs::metadata(path).map_err(|fault| format!("cannot be read: {fault}"))?;
        if size.len() > MAX_FILE_BYTES {
            return Err(format!("has more than {MAX_FILE_BYTES} bytes"));
        }
        let text =
            std::fs::read_to_string(path).map_err(|fault| format!("cannot be read: {fault}"))?;
        Self::of(&text)
    }
}

impl KafkaProperties {
    /// Faults never quote a value.
    fn of(text: &str) -> Result<Self, String> {
        let mut properties: Vec<(String, Secret<String>)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("line {}", number + 1);
            let Some((name, value)) = line.split_once('=') else {
                return Err(format!("{place} is not name=value"));
            };
            let (name, value) = (name.trim(), value.trim());
            if !PROPERTIES.contains(&name) {
                let known = PROPERTIES.join(" ");
                return Err(format!("{place}: {name} is none of {known}"));
            }
            if properties.iter().any(|(earlier, _)| earlier == name) {
                return Err(format!("{place}: {name} stands there twice"));
            }
            properties.push((name.to_owned(), Secret::new(value.to_owned())));
        }
        Ok(Self(properties))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_follow_the_brokers_and_stay_out_of_what_is_shown() {
        let text = "# of the cluster\n security.protocol = SASL_SSL\n\nsasl.mechanism=PLAIN\nsasl.password=a=b \n";
        let properties = KafkaProperties::of(text).unwrap();
        let address = KafkaAddress::new("kafka:9093".to_owned(), properties);
        let settings: Vec<_> = address.settings().collect();
        let settings: Vec<_> = settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            settings,
            [
                ("bootstrap.servers", "kafka:9093"),
                ("security.protocol", "SASL_SSL"),
                ("sasl.mechanism", "PLAIN"),
                ("sasl.password", "a=b"),
            ]
        );
        let shown = format!("{address:?}");
        assert!(
            shown.contains("sasl.password") && !shown.contains("a=b"),
            "{shown}"
        );
    }

    #[test]
    fn what_is_none_of_the_connection_is_refused_without_its_value() {
        for (text, told) in [
            ("acks=1", "line 1: acks is none of security.protocol"),
            (
                "\nbootstrap.servers=secret",
                "line 2: bootstrap.servers is none of",
            ),
            ("ssl", "line 1 is not name=value"),
            (
                "sasl.jaas.config=secret",
                "line 1: sasl.jaas.config is none of",
            ),
            (
                "ssl.key.password=secret\nssl.key.password=secret",
                "line 2: ssl.key.password stands there twice",
            ),
        ] {
            let refused = KafkaProperties::of(text).err().unwrap();
            assert!(
                refused.contains(told) && !refused.contains("secret"),
                "{refused}"
            );
        }
        assert!("/no/such/file".parse::<KafkaProperties>().is_err());
    }
}
