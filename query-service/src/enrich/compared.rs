//! The part of a document that candidates are compared by.
//!
//! A name that many bear has hundreds of candidates, each with a document of some kilobytes, most of which no input is compared with:
//! skills, summaries, dates of jobs. Only what is named here is kept, all texts in one piece of memory; the rest is passed over without
//! being built.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Dot paths through lists and maps whose values are compared, of persons and companies.
const PATHS: &[&str] = &[
    "full_name",
    "first_name",
    "last_name",
    "suffix",
    "_name_aliases",
    "birth_date",
    "birth_year",
    "birth_month",
    "birth_day",
    "job_title",
    "company_name",
    "company_domain",
    "company_linkedin_url",
    "company_linkedin_id",
    "experience.title.cleaned",
    "experience.organization.name.cleaned",
    "experience.organization.name.raw",
    "experience.organization.website",
    "experience.organization.linkedin_url",
    "experience.organization.linkedin_id",
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

/// Bytes of texts and number of values that a record of some size keeps.
const TEXT_BYTES: usize = 1_024;
const VALUES: usize = 64;

/// The part of a document that is compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// One text behind the other.
    text: String,
    /// In the order of the document.
    values: Vec<Kept>,
}

/// A value that is there: neither null nor an empty list or map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    place: Place,
    value: KeptValue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeptValue {
    /// From where to where it stands in the text.
    Text(usize, usize),
    Number(i64),
    /// Something else, of which no more is known.
    Other,
}

/// Which of [`PATHS`] or, behind them, of [`FILLED`].
type Place = u8;

fn place_of(path: &str) -> Option<Place> {
    let mut known = PATHS.iter().chain(FILLED);
    let at = known.position(|known| *known == path);
    debug_assert!(at.is_some(), "{path} is not kept");
    Place::try_from(at?).ok()
}

impl Compared {
    /// Reads the part of a document that is compared.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub fn read(json: &[u8]) -> serde_json::Result<Self> {
        let mut kept = Self {
            text: String::with_capacity(TEXT_BYTES),
            values: Vec::with_capacity(VALUES),
        };
        let mut reader = serde_json::Deserializer::from_slice(json);
        let root = Reading {
            plan: &DOCUMENT,
            into: &mut kept,
        };
        reader.deserialize_map(root)?;
        reader.end()?;
        Ok(kept)
    }

    /// Texts at a dot path, through lists, in the order of the document.
    pub fn texts<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.at(path).filter_map(|value| match value {
            KeptValue::Text(start, end) => self.text.get(start..end),
            KeptValue::Number(_) | KeptValue::Other => None,
        })
    }

    /// The whole number at a dot path.
    #[must_use]
    pub fn number(&self, path: &str) -> Option<i64> {
        self.at(path).find_map(|value| match value {
            KeptValue::Number(number) => Some(number),
            KeptValue::Text(..) | KeptValue::Other => None,
        })
    }

    /// Whether something stands in a field.
    #[must_use]
    pub fn has(&self, field: &str) -> bool {
        self.at(field).next().is_some()
    }

    fn at<'a>(&'a self, path: &str) -> impl Iterator<Item = KeptValue> + Clone + use<'a> {
        let place = place_of(path);
        let values = self.values.iter();
        values
            .filter(move |kept| Some(kept.place) == place)
            .map(|kept| kept.value)
    }

    fn keep(&mut self, place: Place, value: KeptValue) {
        self.values.push(Kept { place, value });
    }
}

/// What is kept of a value.
enum Plan {
    /// Texts and numbers.
    Values(Place),
    /// Whether it is empty.
    Filled(Place),
    /// Of a map, or of each map of a list, these members.
    Members(Members),
}

/// By the length of their names, since a document has many that none of these is.
#[derive(Default)]
struct Members(Vec<Vec<(&'static str, Plan)>>);

static DOCUMENT: LazyLock<Plan> = LazyLock::new(|| {
    let mut members = Members::default();
    for (path, place) in PATHS.iter().zip(0..) {
        members.add(path, Plan::Values(place));
    }
    for (field, place) in FILLED.iter().zip(0..) {
        let behind = Place::try_from(PATHS.len()).unwrap_or(Place::MAX);
        members.add(field, Plan::Filled(behind.saturating_add(place)));
    }
    Plan::Members(members)
});

impl Members {
    fn add(&mut self, path: &'static str, plan: Plan) {
        let (first, rest) = match path.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (path, None),
        };
        if self.0.len() <= first.len() {
            self.0.resize_with(first.len() + 1, Vec::new);
        }
        let Some(alike) = self.0.get_mut(first.len()) else {
            return;
        };
        let Some(rest) = rest else {
            alike.push((first, plan));
            return;
        };
        let known = alike.iter_mut().find(|(name, _)| *name == first);
        if let Some((_, Plan::Members(inner))) = known {
            inner.add(rest, plan);
        } else {
            let mut inner = Self::default();
            inner.add(rest, plan);
            alike.push((first, Plan::Members(inner)));
        }
    }

    fn of(&self, name: &[u8]) -> Option<&Plan> {
        let alike = self.0.get(name.len())?;
        let found = alike.iter().find(|(known, _)| known.as_bytes() == name);
        found.map(|(_, plan)| plan)
    }
}

/// Reads one value.
struct Reading<'r> {
    plan: &'r Plan,
    into: &'r mut Compared,
}

impl Reading<'_> {
    /// A value that has nothing inside.
    fn scalar(self, value: KeptValue) {
        match self.plan {
            Plan::Values(place) => self.into.keep(*place, value),
            Plan::Filled(place) => self.into.keep(*place, KeptValue::Other),
            Plan::Members(_) => {}
        }
    }
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match self.plan {
            Plan::Members(members) => {
                while let Some(plan) = map.next_key_seed(Name(members))? {
                    match plan {
                        Some(plan) => map.next_value_seed(Reading {
                            plan,
                            into: &mut *self.into,
                        })?,
                        None => map.next_value::<IgnoredAny>().map(drop)?,
                    }
                }
            }
            Plan::Values(place) | Plan::Filled(place) => {
                let mut is_filled = false;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    is_filled = true;
                }
                if is_filled {
                    self.into.keep(*place, KeptValue::Other);
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let kept = self.into.values.len();
        let mut is_filled = false;
        if matches!(self.plan, Plan::Filled(_)) {
            while list.next_element::<IgnoredAny>()?.is_some() {
                is_filled = true;
            }
        } else {
            while let Some(()) = list.next_element_seed(Reading {
                plan: self.plan,
                into: &mut *self.into,
            })? {
                is_filled = true;
            }
        }
        if let Plan::Values(place) | Plan::Filled(place) = self.plan
            && is_filled
            && self.into.values.len() == kept
        {
            self.into.keep(*place, KeptValue::Other);
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.scalar(KeptValue::Other);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.scalar(KeptValue::Number(number));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        let value = i64::try_from(number).map_or(KeptValue::Other, KeptValue::Number);
        self.scalar(value);
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.scalar(KeptValue::Other);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if matches!(self.plan, Plan::Values(_)) {
            let start = self.into.text.len();
            self.into.text.push_str(text);
            let end = self.into.text.len();
            self.scalar(KeptValue::Text(start, end));
        } else {
            self.scalar(KeptValue::Other);
        }
        Ok(())
    }
}

/// Reads the name of a member, without building it: what is kept of its value.
struct Name<'k>(&'k Members);

impl<'de, 'k> DeserializeSeed<'de> for Name<'k> {
    type Value = Option<&'k Plan>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        // As it stands: what no plan has needs not to be valid text.
        source.deserialize_bytes(self)
    }
}

impl<'k> Visitor<'_> for Name<'k> {
    type Value = Option<&'k Plan>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a field")
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.of(name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Compared, FILLED, PATHS};
    use crate::enrich::path::texts_of_any;

    #[test]
    fn what_is_compared_is_kept_and_the_rest_is_not() {
        let whole = json!({
            "full_name": "ann lee",
            "_name_aliases": ["ann \u{e9}", null, "lee, ann"],
            "skills": [{"cleaned": "rust", "raw": ["{\"a\": 1}"]}],
            "emails": [{"address": "ann@acme.com"}],
            "phones": [],
            "mobile_phone": null,
            "birth_year": 1980,
            "birth_month": -3,
            "experience": [
                {"title": {"cleaned": "nurse", "raw": "Nurse"}, "organization": {"name": {"cleaned": "acme", "raw": "Acme \"\u{e9}\""}}},
                {"title": null},
                {},
                {"title": {"cleaned": "head nurse"}, "organization": {"name": {"cleaned": ""}}}
            ],
            "locations": [{"city": "graz", "region": "styria"}],
        });
        let kept = Compared::read(&serde_json::to_vec(&whole).unwrap()).unwrap();
        assert_eq!(
            kept.text.len(),
            "ann leeann élee, annnurseacmeAcme \"é\"head nursegraz".len()
        );
        let whole = whole.as_object().unwrap();
        for path in PATHS {
            let texts: Vec<&str> = kept.texts(path).collect();
            assert_eq!(texts, texts_of_any(whole, path), "{path}");
        }
        assert_eq!(kept.number("birth_year"), Some(1980));
        assert_eq!(kept.number("birth_month"), Some(-3));
        assert_eq!(kept.number("birth_day"), None);
        assert_eq!(kept.number("full_name"), None);
        for (field, has) in [
            ("emails", true),
            ("phones", false),
            ("mobile_phone", false),
            ("full_name", true),
            ("tickers", false),
        ] {
            assert_eq!(kept.has(field), has, "{field}");
        }
    }

    #[test]
    fn a_field_has_something_unless_it_is_null_or_empty() {
        let values = [
            (json!({}), false),
            (json!({"a": 1}), true),
            (json!([]), false),
            (json!([0]), true),
            (json!([null]), true),
            (json!([[]]), true),
            (json!("a@b"), true),
            (json!(""), true),
            (json!(1), true),
            (json!(1.5), true),
            (json!(u64::MAX), true),
            (json!(false), true),
            (json!(null), false),
        ];
        for field in FILLED.iter().chain(&["work_email", "linkedin_id"]) {
            for (value, has) in &values {
                let json = serde_json::to_vec(&json!({ *field: value })).unwrap();
                assert_eq!(
                    Compared::read(&json).unwrap().has(field),
                    *has,
                    "{field}: {value}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_document_is_an_error() {
        for text in ["", "[]", "1", "null", "{\"a\": 1", "{} {}", "\"a\"", "[{}]"] {
            assert!(Compared::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
