//! A company: read, completed, keyed.

use std::collections::BTreeMap;

use events_schema::record::RecordKind;
use normalize::keys::{
    CompanyForm, CompanyKey as K, company_head_keys, company_letters, company_slip_keys,
    company_word_keys, domain_label,
};
use normalize::{domain, ticker, vocabulary};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::company_name::Name;
use super::data_point::best;
use super::keys::Keys;
use super::place::{Named, Place};
use super::reader::{Cleaned, Reader, plain};
use super::social::Account;
use super::{Columns, Reading, Record, Reject, WHOLE, company_figures, identity, scalars};

/// Characters of `YYYY-MM`.
const MONTH_CHARS: usize = 7;
/// More forms of a name than this are kept but not matched on: each makes dozens of keys.
const MAX_NAME_FORMS: usize = 16;

scalars! {
    /// The scalar fields of a company, without `service_id`; the name's two forms besides.
    Scalars {
        name_cleaned: String, name_display: String,
        domain: String, industry: String, r#type: String, size: String, founded: i64,
        city: String, state: String, state_code: String, country: String, country_code: String,
        linkedin_url: String, linkedin_id: String, linkedin_followers: i64, linkedin_employee_count: i64,
        service_employee_count: i64, service_average_tenure: f64,
        num_sources: i64, last_seen: String, build_version: String,
    }
}

/// A company as stored. Columns that the document does not have are left out of it.
#[derive(Debug, Default, Serialize)]
struct Company {
    #[serde(skip_serializing_if = "Option::is_none")]
    service_id: Option<Uuid>,
    name: Name,
    #[serde(flatten)]
    flat: Scalars,
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Cleaned>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    domains: Vec<Domain>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tickers: Vec<Ticker>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    socials: Vec<Account>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Place>,
    /// Counts and rates by period, level or function.
    #[serde(flatten)]
    figures: BTreeMap<&'static str, Value>,
    #[serde(rename = "_merged_ids", skip_serializing_if = "Vec::is_empty")]
    merged_ids: Vec<Uuid>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Domain {
    domain: String,
}

#[derive(Debug, Default, Serialize)]
struct Ticker {
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange: Option<String>,
}

/// Reads a company.
pub(super) fn record(
    object: Map<String, Value>,
    reading: &Reading,
    mut reader: Reader<'_>,
) -> Result<Record, Reject> {
    let (mut company, mut place, mut given_id) = (Company::default(), Named::default(), None);
    for (key, value) in object {
        if value.is_null() {
            continue;
        }
        match (key.as_str(), value) {
            ("service_id", Value::String(text)) => {
                given_id = Some(text).filter(|text| !text.trim().is_empty())
            }
            ("service_id", _) => return Err(Reject::BadServiceId),
            (key, value) => {
                let Some(value) = place.take(key, value, "", &mut reader) else {
                    continue;
                };
                let Some(value) = company.scalar(key, value, &mut reader) else {
                    continue;
                };
                let Some(value) = company.list(key, value, &mut reader) else {
                    continue;
                };
                company.figure(key, value, &mut reader);
            }
        }
    }
    let given_id = given_id.map(|text| Uuid::parse_str(&text)).transpose();
    let given_id = given_id.map_err(|_| Reject::BadServiceId)?;
    place.settle("", &mut reader);
    company.complete(place)?;
    let (service_id, id_of) = match given_id {
        Some(id) => (id, None),
        None => {
            let (id, of) = company.made_id()?;
            (id, Some(of))
        }
    };
    company.service_id = Some(service_id);
    company.flat.build_version = Some(reading.build.clone());
    let doc = serde_json::to_vec(&company).map_err(|_| Reject::NotJson)?;
    let keys = company.keys().finish();
    let Company { name, mut flat, .. } = company;
    flat.name_cleaned = name.cleaned;
    flat.name_display = name.display;
    Ok(Record {
        service_id,
        id_of,
        confidence: None,
        doc,
        keys,
        columns: Columns::Company(Box::new(flat)),
    })
}

impl Company {
    fn scalar(&mut self, key: &str, value: Value, reader: &mut Reader<'_>) -> Option<Value> {
        let flat = &mut self.flat;
        match key {
            "name" => self.name.read(value, reader),
            "headline" => self.headline = reader.cleaned(key, value, plain),
            "description" => self.description = reader.cleaned(key, value, plain),
            "domain" => flat.domain = reader.domain(key, value),
            "industry" => flat.industry = reader.vocabulary(key, value, vocabulary::industry),
            "type" => flat.r#type = reader.vocabulary(key, value, vocabulary::company_type),
            "size" => flat.size = reader.vocabulary(key, value, vocabulary::company_size),
            "founded" => flat.founded = reader.integer(key, &value),
            "linkedin_url" => flat.linkedin_url = reader.company_profile(key, value),
            "linkedin_id" => flat.linkedin_id = reader.given(key, value),
            "linkedin_followers" => flat.linkedin_followers = reader.count(key, &value),
            "linkedin_employee_count" => flat.linkedin_employee_count = reader.count(key, &value),
            "service_employee_count" => flat.service_employee_count = reader.count(key, &value),
            "service_average_tenure" => flat.service_average_tenure = reader.number(key, &value),
            "num_sources" => flat.num_sources = reader.count(key, &value),
            "last_seen" => {
                flat.last_seen = reader.seen(key, value).map(|mut date| {
                    date.truncate(MONTH_CHARS);
                    date
                });
            }
            // A record belongs to the build that it is loaded in.
            "build_version" => {}
            _ => return Some(value),
        }
        None
    }

    fn list(&mut self, key: &str, value: Value, reader: &mut Reader<'_>) -> Option<Value> {
        match key {
            "domains" => {
                for mut object in reader.objects(key, value, "domain") {
                    let domain = object
                        .remove("domain")
                        .and_then(|value| reader.domain("domains.domain", value));
                    self.domains.extend(domain.map(|domain| Domain { domain }));
                }
            }
            "tickers" => {
                let items = reader.objects(key, value, "symbol");
                self.tickers = items
                    .into_iter()
                    .filter_map(|item| Ticker::read(item, reader))
                    .collect();
            }
            "socials" => {
                let items = reader.objects(key, value, "url");
                self.socials = items
                    .into_iter()
                    .filter_map(|item| Account::read(item, true, reader))
                    .collect();
            }
            "locations" => {
                let items = reader.objects(key, value, "raw");
                self.locations = items
                    .into_iter()
                    .filter_map(|item| Place::read(item, reader))
                    .collect();
            }
            "merged_ids" => {
                let ids = reader.items(key, value);
                let ids = ids.into_iter().filter_map(|id| reader.id("merged_ids", id));
                self.merged_ids = ids.filter_map(|id| Uuid::parse_str(&id).ok()).collect();
            }
            _ => return Some(value),
        }
        None
    }

    /// A field of counts or rates; any other key is unknown.
    fn figure(&mut self, key: &str, value: Value, reader: &mut Reader<'_>) {
        if let Some((name, figures)) = company_figures::read(key, value, reader) {
            self.figures.insert(name, figures);
        }
    }

    /// Name from domain or the other way round, flat columns from lists and the other way round.
    fn complete(&mut self, place: Named) -> Result<(), Reject> {
        if self.flat.domain.is_none() {
            self.flat.domain = self.domains.first().map(|first| first.domain.clone());
        } else if let Some(domain) = self.flat.domain.clone() {
            let own = Domain { domain };
            if !self.domains.contains(&own) {
                self.domains.insert(0, own);
            }
        }
        if self.name.cleaned.is_none() && self.flat.domain.is_none() {
            return Err(Reject::NoName);
        }
        self.linkedin();
        self.place(place);
        Ok(())
    }

    fn linkedin(&mut self) {
        let flat = &mut self.flat;
        let account = self
            .socials
            .iter_mut()
            .find(|account| account.is_linkedin());
        match account {
            Some(account) => {
                flat.linkedin_url = flat.linkedin_url.take().or_else(|| account.url.clone());
                flat.linkedin_id = flat.linkedin_id.take().or_else(|| account.id.clone());
                account.id = account.id.take().or_else(|| flat.linkedin_id.clone());
            }
            None if flat.linkedin_url.is_some() || flat.linkedin_id.is_some() => {
                let account =
                    Account::linkedin(flat.linkedin_url.clone(), flat.linkedin_id.clone());
                self.socials.push(account);
            }
            None => {}
        }
    }

    /// The primary location is what the flat columns say, and is marked so where the build marks none.
    fn place(&mut self, given: Named) {
        if !given.is_empty() && self.locations.is_empty() {
            let mut place = Place::of(given.clone());
            place.primary = Some(true);
            self.locations.push(place);
        }
        let primary = self
            .locations
            .iter()
            .find(|place| place.primary == Some(true))
            .or_else(|| best(&self.locations, |place| &place.grade, |_| true))
            .or_else(|| self.locations.first());
        let flat = &mut self.flat;
        let from_list = primary.map(|place| Named {
            city: place.city.clone(),
            state: place.state.clone(),
            state_code: place.state_code.clone(),
            country: place.country.clone(),
            country_code: place.country_code.clone(),
        });
        let named = if given.is_empty() {
            from_list.unwrap_or_default()
        } else {
            given
        };
        let mut marked = self.locations.iter().map(|place| place.primary);
        if !named.is_empty() && marked.all(|primary| primary.is_none()) {
            let is_shown = |place: &&mut Place| {
                (&place.city, &place.state, &place.country)
                    == (&named.city, &named.state, &named.country)
            };
            if let Some(shown) = self.locations.iter_mut().find(is_shown) {
                shown.primary = Some(true);
            }
        }
        flat.city = named.city;
        flat.state = named.state;
        flat.state_code = named.state_code;
        flat.country = named.country;
        flat.country_code = named.country_code;
    }

    fn made_id(&self) -> Result<(Uuid, &'static str), Reject> {
        let flat = &self.flat;
        let symbol = || {
            self.tickers
                .iter()
                .find_map(|ticker| ticker.symbol.as_deref())
        };
        let strongest = flat
            .domain
            .as_deref()
            .map(|domain| ("domain", domain))
            .or_else(|| Some(("linkedin_id", flat.linkedin_id.as_deref()?)))
            .or_else(|| Some(("linkedin_url", flat.linkedin_url.as_deref()?)))
            .or_else(|| Some(("ticker", symbol()?)));
        let whole = match strongest {
            Some(_) => Vec::new(),
            None => serde_json::to_vec(self).map_err(|_| Reject::NotJson)?,
        };
        let of = match strongest {
            Some(("ticker", _)) => "tickers.symbol",
            Some((field, _)) => field,
            None => WHOLE,
        };
        Ok((identity::made(RecordKind::Company, strongest, &whole), of))
    }

    fn keys(&self) -> Keys {
        let mut keys = Keys::default();
        for id in &self.merged_ids {
            keys.text(K::MergedId, &id.to_string(), 0);
        }
        keys.text(
            K::LinkedinId,
            self.flat.linkedin_id.as_deref().unwrap_or(""),
            0,
        );
        keys.text(
            K::SocialUrl,
            self.flat.linkedin_url.as_deref().unwrap_or(""),
            0,
        );
        for account in &self.socials {
            keys.text(K::SocialUrl, account.url.as_deref().unwrap_or(""), 0);
        }
        for Domain { domain: host } in &self.domains {
            keys.text(K::Domain, host, 0);
            keys.text(K::Domain, domain::registrable(host).unwrap_or(""), 0);
            // Some know a company by the name of its domain.
            keys.text(K::Name, domain_label(host).as_deref().unwrap_or(""), 0);
        }
        let forms = self
            .name
            .cleaned
            .iter()
            .chain(&self.name.display)
            .chain(&self.name.raw)
            .take(MAX_NAME_FORMS);
        for form in forms {
            let readings = CompanyForm::readings(form);
            for name in readings.iter().flat_map(CompanyForm::spellings) {
                keys.text(K::Name, name.key(), 0);
                for gap in company_slip_keys(name) {
                    keys.text(K::NameGap, &gap, 0);
                }
                for shorter in company_word_keys(name) {
                    keys.text(K::NameWord, &shorter, 0);
                }
                for heads in company_head_keys(name) {
                    keys.text(K::NameHeads, &heads, 0);
                }
                for letters in company_letters(name) {
                    keys.text(K::Letters, &letters, 0);
                }
            }
        }
        for ticker in &self.tickers {
            keys.text(K::Ticker, ticker.symbol.as_deref().unwrap_or(""), 0);
        }
        keys
    }
}

impl Ticker {
    fn read(object: Map<String, Value>, reader: &mut Reader<'_>) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in object {
            match key.as_str() {
                "symbol" => read.symbol = reader.by("tickers.symbol", value, ticker::clean),
                "exchange" => read.exchange = reader.given("tickers.exchange", value),
                other => reader.tally.unknown_key(&format!("tickers.{other}")),
            }
        }
        read.symbol.is_some().then_some(read)
    }
}
