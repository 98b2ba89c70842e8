//! Settings from the environment: read once in `main`, all faults reported together, unknown ones refused.
//!
//! A setting `LISTEN` of the service `QUERY_SERVICE` is looked up as `QUERY_SERVICE_LISTEN`, then as `LISTEN`, so that
//! several services can share a setting and still differ. [`Reader::finish`] refuses a variable that has the service's
//! prefix and that nobody asked for: a misspelt limit must not silently mean the default.

mod secret;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

pub use secret::Secret;

use crate::kafka::KafkaAddress;

/// Every fault of the settings, one a line.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the settings cannot be used:\n  {}", .0.join("\n  "))]
pub struct ConfigFault(pub Vec<String>);

/// The longest span of time that a setting takes.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
/// The most of anything that a setting takes: queues and pools refuse, by a panic, what memory could not hold.
const MOST: u64 = 1_000_000_000;

/// Reads the settings of one service.
#[derive(Debug)]
pub struct Reader {
    prefix: String,
    environment: BTreeMap<String, Secret<String>>,
    asked: BTreeSet<&'static str>,
    faults: Vec<String>,
}

impl Reader {
    /// A reader of the process's environment; `prefix` without the final underscore.
    pub fn from_env(prefix: &str) -> Self {
        Self::from_pairs(
            prefix,
            std::env::vars_os()
                .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?))),
        )
    }

    /// A reader of given pairs, for tests.
    pub fn from_pairs<K: Into<String>, V: Into<String>>(
        prefix: &str,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let environment = pairs
            .into_iter()
            .map(|(key, value)| (key.into(), Secret::new(value.into())))
            .collect();
        Self {
            prefix: format!("{prefix}_"),
            environment,
            asked: BTreeSet::new(),
            faults: Vec::new(),
        }
    }

    /// A value of any type that can be parsed, or its default. An empty value counts as not set.
    pub fn get<T>(&mut self, name: &'static str, default: T) -> T
    where
        T: FromStr,
        T::Err: Display,
    {
        self.optional(name).unwrap_or(default)
    }

    /// A value of any type that can be parsed, or `None` if it is not set.
    pub fn optional<T>(&mut self, name: &'static str) -> Option<T>
    where
        T: FromStr,
        T::Err: Display,
    {
        self.parsed(name, |text| {
            text.parse::<T>().map_err(|fault| fault.to_string())
        })
    }

    /// Where Kafka is: `KAFKA_BROKERS`, and the file that `KAFKA_PROPERTIES` names.
    pub fn kafka(&mut self) -> KafkaAddress {
        let brokers = self.get("KAFKA_BROKERS", "127.0.0.1:9092".to_owned());
        let properties = self.optional("KAFKA_PROPERTIES");
        KafkaAddress::new(brokers, properties.unwrap_or_default())
    }

    /// A value that must be set. A default of the type is handed out after a fault; [`Reader::finish`] then refuses.
    pub fn required<T>(&mut self, name: &'static str) -> T
    where
        T: FromStr + Default,
        T::Err: Display,
    {
        if self.lookup(name).is_none() {
            self.fault(name, "is required and not set");
        }
        self.optional(name).unwrap_or_default()
    }

    /// A secret that must be set; it never shows in `Debug` or in a fault.
    pub fn secret(&mut self, name: &'static str) -> Secret<String> {
        Secret::new(self.required::<String>(name))
    }

    /// A secret that may be absent.
    pub fn optional_secret(&mut self, name: &'static str) -> Option<Secret<String>> {
        self.lookup(name).map(Secret::new)
    }

    /// An address to bind or to connect to, `127.0.0.1:8081`.
    pub fn socket_addr(&mut self, name: &'static str, default: SocketAddr) -> SocketAddr {
        self.get(name, default)
    }

    /// A span of time above 0: a whole number with the unit `ms`, `s`, `m` or `h`.
    pub fn duration(&mut self, name: &'static str, default: Duration) -> Duration {
        self.duration_of_at_least(name, default, Duration::from_millis(1))
    }

    /// As [`Reader::duration`], where what is shorter cannot be kept.
    pub fn duration_of_at_least(
        &mut self,
        name: &'static str,
        default: Duration,
        least: Duration,
    ) -> Duration {
        let too_short = || format!("must be at least {least:?}");
        let parse = |text: &str| {
            parse_duration(text)
                .and_then(|span| (span >= least).then_some(span).ok_or_else(too_short))
        };
        self.parsed(name, parse).unwrap_or(default)
    }

    /// As [`Reader::duration`], where none at all means something: no pause, nothing kept.
    pub fn duration_or_none(&mut self, name: &'static str, default: Duration) -> Duration {
        self.parsed(name, parse_duration).unwrap_or(default)
    }

    /// A number of bytes above 0: a whole number, with `KiB`, `MiB` or `GiB` or without unit.
    pub fn bytes(&mut self, name: &'static str, default: u64) -> u64 {
        self.parsed(name, parse_bytes).unwrap_or(default)
    }

    /// A number of things of which there must be one, and of which nobody has more than `MOST`.
    pub fn at_least_one<T: TryFrom<u64>>(&mut self, name: &'static str, default: T) -> T {
        self.number(name, 1).unwrap_or(default)
    }

    /// As [`Reader::at_least_one`], where none at all means something.
    pub fn count<T: TryFrom<u64>>(&mut self, name: &'static str, default: T) -> T {
        self.number(name, 0).unwrap_or(default)
    }

    fn number<T: TryFrom<u64>>(&mut self, name: &'static str, least: u64) -> Option<T> {
        self.parsed(name, |text| {
            text.parse()
                .ok()
                .filter(|number| (least..=MOST).contains(number))
                .and_then(|number| T::try_from(number).ok())
                .ok_or_else(|| format!("must be a whole number from {least} to {MOST}"))
        })
    }

    /// A list of values, separated by commas; empty when not set.
    pub fn list(&mut self, name: &'static str) -> Vec<String> {
        let text = self.lookup(name).unwrap_or_default();
        text.split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// Reads a setting by a parser of the caller's.
    pub fn parsed<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.lookup(name)?;
        match parse(text.trim()) {
            Ok(value) => Some(value),
            Err(rule) => {
                self.fault(name, &rule);
                None
            }
        }
    }

    /// Notes a fault that the caller found, e.g. of two settings that exclude each other.
    pub fn fault(&mut self, name: &'static str, rule: &str) {
        self.faults.push(format!("{}{name}: {rule}", self.prefix));
    }

    /// The end of reading.
    ///
    /// # Errors
    /// All faults together, among them every variable with the prefix that was never asked for.
    pub fn finish(mut self) -> Result<(), ConfigFault> {
        let is_unknown = |key: &&String| {
            let own = key.strip_prefix(&self.prefix);
            own.is_some_and(|name| !self.asked.contains(name)) && !self.asked.contains(key.as_str())
        };
        let accepted = self.asked.iter().copied().collect::<Vec<_>>().join(", ");
        let unknown = self.environment.keys().filter(is_unknown);
        let unknown = unknown.map(|key| {
            format!(
                "{key}: is not a setting; {}* accepts {accepted}",
                self.prefix
            )
        });
        self.faults.extend(unknown.collect::<Vec<_>>());
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(ConfigFault(self.faults))
        }
    }

    fn lookup(&mut self, name: &'static str) -> Option<String> {
        self.asked.insert(name);
        let own = self.environment.get(&format!("{}{name}", self.prefix));
        let value = own.or_else(|| self.environment.get(name))?;
        Some(value.expose().clone()).filter(|text| !text.trim().is_empty())
    }
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let rule = || {
        "must be a whole number with the unit ms, s, m or h, such as 30s, and at most a year (8760h)".to_owned()
    };
    let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(rule)?;
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| rule())?;
    let span = match unit.trim() {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => number.checked_mul(60).map(Duration::from_secs),
        "h" => number.checked_mul(3600).map(Duration::from_secs),
        _ => None,
    };
    // What is added to a moment of the clock must not leave its range.
    span.filter(|span| *span <= LONGEST).ok_or_else(rule)
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let rule = || {
        "must be a whole number of bytes above 0, or one with the unit KiB, MiB or GiB".to_owned()
    };
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim() {
        "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return Err(rule()),
    };
    number
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(1 << shift))
        .filter(|bytes| *bytes > 0)
        .ok_or_else(rule)
}

#[cfg(test)]
mod tests;
