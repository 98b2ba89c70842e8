//! Places of persons and companies.

use normalize::{address, city, country, postal_code, state};
use serde::Serialize;
use serde_json::{Map, Value};

use super::data_point::Grade;
use super::reader::Reader;

/// One location; `primary` and the confidence have a meaning for one kind only.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) street_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address_line_2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) country_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) continent: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) continent_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) postal_code_4: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) geo: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) raw: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) primary: Option<bool>,
    #[serde(flatten)]
    pub(super) grade: Grade,
}

impl Place {
    /// Reads an element of `locations`. A plain text is kept as `raw` alone: nothing is guessed from it.
    pub(super) fn read(object: Map<String, Value>, reader: &mut Reader<'_>) -> Option<Self> {
        let mut place = Self::default();
        let mut named = Named::default();
        for (key, value) in object {
            let Some(value) = named.take(&key, value, "locations.", reader) else {
                continue;
            };
            let Some(value) = place.grade.take(&key, value, "locations", reader) else {
                continue;
            };
            match key.as_str() {
                "street_address" | "address" => {
                    place.street_address =
                        reader.by("locations.street_address", value, address::clean);
                }
                "address_line_2" => {
                    place.address_line_2 =
                        reader.by("locations.address_line_2", value, address::clean);
                }
                "postal_code" => {
                    place.postal_code =
                        reader.by("locations.postal_code", value, postal_code::clean);
                }
                "postal_code_4" => {
                    place.postal_code_4 = reader.given("locations.postal_code_4", value)
                }
                "geo" => place.geo = reader.given("locations.geo", value),
                "raw" => place.raw = reader.texts("locations.raw", value),
                "primary" => place.primary = reader.boolean("locations.primary", &value),
                "continent" | "continent_code" => {}
                other => reader.tally.unknown_key(&format!("locations.{other}")),
            }
        }
        named.settle("locations.", reader);
        place.named(named);
        let is_empty = place.city.is_none()
            && place.state.is_none()
            && place.country.is_none()
            && place.street_address.is_none()
            && place.postal_code.is_none()
            && place.geo.is_none()
            && place.raw.is_empty();
        (!is_empty).then_some(place)
    }

    /// A place of the flat columns.
    pub(super) fn of(named: Named) -> Self {
        let mut place = Self::default();
        place.named(named);
        place
    }

    fn named(&mut self, named: Named) {
        let continent = named.country_code.as_deref().and_then(country::continent);
        (self.continent, self.continent_code) = continent.unzip();
        self.city = named.city;
        self.state = named.state;
        self.state_code = named.state_code;
        self.country = named.country;
        self.country_code = named.country_code;
    }
}

/// City, state and country: flat columns and parts of every location.
#[derive(Debug, Clone, Default)]
pub(super) struct Named {
    pub(super) city: Option<String>,
    pub(super) state: Option<String>,
    pub(super) state_code: Option<String>,
    pub(super) country: Option<String>,
    pub(super) country_code: Option<String>,
}

impl Named {
    /// Takes a key of a place; the value comes back if it is none of these.
    pub(super) fn take(
        &mut self,
        key: &str,
        value: Value,
        prefix: &str,
        reader: &mut Reader<'_>,
    ) -> Option<Value> {
        let field = match key {
            "city" | "state" | "state_code" | "country" | "country_code" if !value.is_null() => {
                format!("{prefix}{key}")
            }
            "city" | "state" | "state_code" | "country" | "country_code" => return None,
            _ => return Some(value),
        };
        match key {
            "city" => self.city = reader.by(&field, value, city::clean),
            "state" => self.state = reader.text(&field, value),
            "state_code" => {
                self.state_code = reader.given(&field, value).map(|code| code.to_uppercase())
            }
            "country_code" => self.country_code = reader.given(&field, value),
            _ => {
                // A country that no table knows is still a name.
                self.country = reader.text(&field, value);
            }
        }
        None
    }

    /// Names and codes from each other: country from its code or name, then the state within the country. What is known
    /// is stored under its own name, whatever it was given by (`il` in `us` is `illinois`); where a name and a code
    /// contradict each other, the code counts. A name that no table knows stays as it is given, and is counted: no table has all of what
    /// people call a part of a country.
    pub(super) fn settle(&mut self, prefix: &str, reader: &mut Reader<'_>) {
        let code = self.country_code.take();
        let by_code = code.as_deref().and_then(|code| country::clean(code).ok());
        if code.is_some() && by_code.is_none() {
            reader.tally.unreadable(&format!("{prefix}country_code"));
        }
        let by_name = || {
            let name = self.country.as_deref()?;
            let known = country::clean(name).ok();
            if known.is_none() {
                reader.tally.unmapped(&format!("{prefix}country"), name);
            }
            known
        };
        if let Some(known) = by_code.or_else(by_name) {
            self.country = Some(known.full_name.to_owned());
            self.country_code = Some(known.code.to_owned());
        }
        let within = self.country_code.as_deref();
        let mut read = |field: &str, text: &str| {
            let known = state::clean(text, within).ok();
            let is_one = || state::clean(text, None).is_ok() || state::is_shared(text);
            if known.is_none() && !is_one() {
                reader.tally.unmapped(&format!("{prefix}{field}"), text);
            }
            known
        };
        let code = self.state_code.as_deref();
        let known = code
            .and_then(|code| read("state_code", code))
            .or_else(|| read("state", self.state.as_deref()?));
        if let Some(known) = known {
            self.state = Some(known.full_name.to_owned());
            self.state_code = Some(known.code.to_owned());
            if self.country_code.is_none()
                && self.country.is_none()
                && let Ok(country) = country::clean(known.country_code())
            {
                self.country = Some(country.full_name.to_owned());
                self.country_code = Some(country.code.to_owned());
            }
        }
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.city.is_none() && self.state.is_none() && self.country.is_none()
    }
}
