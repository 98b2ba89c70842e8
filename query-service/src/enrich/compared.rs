//! The part of a document that candidates are compared by.
//!
//! A name that many bear has hundreds of candidates, each with a document of some kilobytes, most of which no input is compared with:
//! skills, summaries, dates of jobs. Only what is named here is kept; the rest is passed over without being built.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Document;

/// Dot paths through lists and maps whose values are compared, of persons and companies.
const PATHS: &[&str] = &[
    "full_name",
    "first_name",
    "last_name",
    "_name_aliases",
    "birth_date",
    "birth_year",
    "birth_month",
    "birth_day",
    "job_title",
    "company_name",
    "company_domain",
    "experience.title.cleaned",
    "experience.organization.name.cleaned",
    "experience.organization.name.raw",
    "experience.organization.website",
    "education.organization.name.cleaned",
    "education.organization.website",
    "city",
    "state",
    "state_code",
    "country_code",
    "locations.street_address",
    "locations.city",
    "locations.state",
    "locations.state_code",
    "locations.country_code",
    "locations.postal_code",
    "work_email",
    "mobile_phone",
    "linkedin_id",
    "linkedin_url",
    "socials.network",
    "socials.url",
    "name.cleaned",
    "name.display",
    "name.raw",
    "domain",
    "domains.domain",
    "industry",
];

/// Lists of which only counts whether they have anything: `true` stands for one that has.
const FILLED: &[&str] = &["emails", "phones", "tickers"];

/// Whether the values at a path are kept.
pub(super) fn is_kept(path: &str) -> bool {
    PATHS.contains(&path)
}

/// Whether it is kept that something stands there.
pub(super) fn is_told(path: &str) -> bool {
    is_kept(path) || FILLED.contains(&path)
}

/// Reads the part of a document that is compared.
///
/// # Errors
/// When it is no JSON object.
pub fn read(json: &[u8]) -> serde_json::Result<Document> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let kept = Members(&KEPT).deserialize(&mut reader)?;
    reader.end()?;
    match kept {
        Value::Object(document) => Ok(document),
        _ => Err(serde::de::Error::custom("a document is an object")),
    }
}

/// What is kept of a value.
enum Kept {
    Whole,
    /// Whether it is empty.
    Filled,
    /// Of a map, or of each map of a list, these members.
    Members(Vec<(&'static str, Kept)>),
}

static KEPT: LazyLock<Vec<(&'static str, Kept)>> = LazyLock::new(|| {
    let mut members = Vec::new();
    for path in PATHS {
        keep(&mut members, path);
    }
    members.extend(FILLED.iter().map(|field| (*field, Kept::Filled)));
    members
});

fn keep(members: &mut Vec<(&'static str, Kept)>, path: &'static str) {
    let Some((first, rest)) = path.split_once('.') else {
        members.push((path, Kept::Whole));
        return;
    };
    let known = members.iter_mut().find(|(name, _)| *name == first);
    if let Some((_, Kept::Members(inner))) = known {
        keep(inner, rest);
    } else {
        let mut inner = Vec::new();
        keep(&mut inner, rest);
        members.push((first, Kept::Members(inner)));
    }
}

impl<'de> DeserializeSeed<'de> for &Kept {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        match self {
            Kept::Whole => Value::deserialize(source),
            Kept::Filled => source.deserialize_any(IsFilled),
            Kept::Members(members) => Members(members).deserialize(source),
        }
    }
}

/// Keeps members of a map, and of each map of a list; null where there is none.
#[derive(Clone, Copy)]
struct Members<'k>(&'k [(&'static str, Kept)]);

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut found = Map::new();
        while let Some(member) = map.next_key_seed(Name(self.0))? {
            match member {
                Some((name, kept)) => {
                    let value = map.next_value_seed(kept)?;
                    found.insert((*name).to_owned(), value);
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Value::Object(found))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut found = Vec::new();
        while let Some(element) = list.next_element_seed(self)? {
            found.push(element);
        }
        Ok(Value::Array(found))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, _: &str) -> Result<Value, E> {
        Ok(Value::Null)
    }
}

/// Reads the name of a member, without building it: which of these it is.
struct Name<'k>(&'k [(&'static str, Kept)]);

impl<'de, 'k> DeserializeSeed<'de> for Name<'k> {
    type Value = Option<&'k (&'static str, Kept)>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'k> Visitor<'_> for Name<'k> {
    type Value = Option<&'k (&'static str, Kept)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|(known, _)| *known == name))
    }
}

/// True for a list or map that has anything, and for any other value.
struct IsFilled;

impl<'de> Visitor<'de> for IsFilled {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut is_filled = false;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            is_filled = true;
        }
        Ok(if is_filled { true.into() } else { Value::Null })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut is_filled = false;
        while list.next_element::<IgnoredAny>()?.is_some() {
            is_filled = true;
        }
        Ok(if is_filled { true.into() } else { Value::Null })
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(true.into())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(true.into())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(true.into())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(true.into())
    }

    fn visit_str<E>(self, _: &str) -> Result<Value, E> {
        Ok(true.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{PATHS, read};
    use crate::enrich::agree::{has_value, texts};

    #[test]
    fn what_is_compared_is_kept_and_the_rest_is_not() {
        let whole = json!({
            "full_name": "ann lee",
            "skills": [{"cleaned": "rust", "raw": ["{\"a\": 1}"]}],
            "emails": [{"address": "ann@acme.com"}],
            "phones": [],
            "mobile_phone": null,
            "birth_year": 1980,
            "experience": [
                {"title": {"cleaned": "nurse", "raw": "Nurse"}, "organization": {"name": {"cleaned": "acme", "raw": "Acme \u{e9}"}}},
                {"title": null},
                {}
            ],
            "locations": [{"city": "graz", "region": "styria"}],
        });
        let kept = read(&serde_json::to_vec(&whole).unwrap()).unwrap();
        let expected = json!({
            "full_name": "ann lee",
            "emails": true,
            "phones": null,
            "mobile_phone": null,
            "birth_year": 1980,
            "experience": [
                {"title": {"cleaned": "nurse"}, "organization": {"name": {"cleaned": "acme", "raw": "Acme \u{e9}"}}},
                {"title": null},
                {}
            ],
            "locations": [{"city": "graz"}],
        });
        assert_eq!(serde_json::Value::Object(kept.clone()), expected);
        let whole = whole.as_object().unwrap();
        for path in PATHS {
            assert_eq!(texts(&kept, path), texts(whole, path), "{path}");
        }
        for field in ["emails", "phones", "mobile_phone", "work_email"] {
            assert_eq!(has_value(&kept, field), has_value(whole, field), "{field}");
        }
        for emails in [
            json!({}),
            json!({"a": 1}),
            json!([]),
            json!([0]),
            json!("a@b"),
            json!(1),
            json!(null),
        ] {
            let whole = json!({ "emails": emails });
            let kept = read(&serde_json::to_vec(&whole).unwrap()).unwrap();
            let is_filled = has_value(whole.as_object().unwrap(), "emails");
            assert_eq!(has_value(&kept, "emails"), is_filled, "{whole}");
        }
    }

    #[test]
    fn what_is_no_document_is_an_error() {
        for text in ["", "[]", "1", "null", "{\"a\": 1", "{} {}"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
