//! A request whose true record is known.

use events_schema::record::RecordKind;
use serde_json::{Map, Value};

/// What is asked, and what should come back.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    pub(crate) subject: RecordKind,
    /// What is given, e.g. `name_company`; requests that must find nothing begin with `none_`.
    pub(crate) kind: String,
    /// What was done to it, e.g. `nickname`.
    pub(crate) noise: Vec<String>,
    /// The body of the enrich request.
    pub(crate) body: Map<String, Value>,
    /// The id of the record that is meant; none where nothing should be found.
    pub(crate) truth: Option<String>,
    /// Given and family name where the source has them apart and the body joins them.
    pub(crate) names: Option<[Option<String>; 2]>,
}

/// What a kind of request must reach, by what a customer gets who sets nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bar {
    /// One thing identifies the record: precision 0.995, recall 0.97.
    Identifier,
    /// A person's name with its context: precision 0.995, recall 0.95.
    Name,
    /// A company's name: precision 0.995, recall 0.93.
    CompanyName,
    /// Duplicates of Febrl: precision 0.999, recall 0.985.
    Febrl,
    /// Nothing is there: 0.997 without an answer.
    None,
    /// Told without a bar: a name and a city fit several people, a name that several companies bear several of them.
    Open,
}

impl Bar {
    pub(crate) fn of(subject: &str, kind: &str) -> Self {
        if kind.contains("shared_") {
            Self::Open
        } else if kind.starts_with("none_") {
            Self::None
        } else if kind == "name_febrl" {
            Self::Febrl
        } else if kind == "name_city" {
            Self::Open
        } else if subject == "company" && kind.starts_with("name") {
            Self::CompanyName
        } else if kind.starts_with("name") {
            Self::Name
        } else {
            Self::Identifier
        }
    }

    /// Least precision and recall; of [`Bar::None`] the least share without an answer.
    pub(crate) const fn least(self) -> (f64, f64) {
        match self {
            Self::Identifier => (0.995, 0.97),
            Self::Name => (0.995, 0.95),
            Self::CompanyName => (0.995, 0.93),
            Self::Febrl => (0.999, 0.985),
            Self::None => (0.997, 0.0),
            Self::Open => (0.0, 0.0),
        }
    }
}

impl Query {
    /// A line of the generator.
    pub(crate) fn of_generator(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let mut body = value.get("request")?.as_object()?.clone();
        if let Some(region) = text("default_region") {
            body.insert("default_region".to_owned(), Value::String(region));
        }
        Some(Self {
            subject: text("entity")?.parse().ok()?,
            kind: text("kind")?,
            noise: value
                .get("noise")?
                .as_array()?
                .iter()
                .filter_map(|noise| noise.as_str().map(str::to_owned))
                .collect(),
            body,
            truth: text("truth"),
            names: value
                .get("names")
                .and_then(|names| serde_json::from_value(names.clone()).ok()),
        })
    }
}
