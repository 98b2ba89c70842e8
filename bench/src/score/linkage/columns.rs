//! The columns of a record and of a request, cleaned alike: values that mean the same are written the same.
//!
//! The other engine starts from Roster's own canon on purpose (names without titles, companies without legal forms, cities in
//! one language, the short forms of given names): what is compared is how values are weighed, not who knows more spellings.

use std::collections::BTreeSet;

use normalize::keys::CompanyForm;
use normalize::name::nicknames;
use normalize::{address, birth_date, keys, name, postal_code, state, text, title};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::query::Query;

/// What a request may give that is linked; whoever gives an identifier is looked up by it.
const FIELDS: &[&str] = &[
    "full_name",
    "first_name",
    "last_name",
    "company",
    "school",
    "job_title",
    "address",
    "city",
    "state",
    "country",
    "postal_code",
    "birth_date",
];

/// What two persons are compared by; null and empty is what is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Columns {
    full_name: Option<String>,
    given_name: Option<String>,
    /// The given name and its short or formal forms.
    given_forms: BTreeSet<String>,
    family_name: Option<String>,
    birth_date: Option<String>,
    street_address: Option<String>,
    city: Option<String>,
    state: Option<String>,
    postal_code: Option<String>,
    /// The employer of today, or the one that was asked with.
    employer: Option<String>,
    /// Every employer by name, domain and first letters.
    employers: BTreeSet<String>,
    title: Option<String>,
    schools: BTreeSet<String>,
}

/// True when a request gives nothing that identifies; some of Febrl's have no name left, and are linked by the rest.
pub(super) fn has_no_identifier(body: &Map<String, Value>) -> bool {
    body.keys().all(|field| FIELDS.contains(&field.as_str()))
}

impl Columns {
    /// Of a record as it is loaded.
    pub(super) fn of_record(record: &Value) -> Self {
        let place = record.pointer("/locations/0").unwrap_or(record);
        let mut columns = Self {
            street_address: text(place, "street_address").and_then(street),
            postal_code: text(place, "postal_code").and_then(code),
            birth_date: text(record, "birth_date").and_then(date),
            employer: text(record, "company_name").and_then(company),
            title: text(record, "job_title").and_then(job),
            ..Self::default()
        };
        let of_place = |field| text(record, field).or_else(|| text(place, field));
        columns.city = of_place("city").and_then(city);
        columns.state = of_place("state").and_then(province);
        let part = |field| text(record, field);
        columns.name(part("first_name"), part("last_name"), part("full_name"));
        for job in std::iter::once(record).chain(items(record, "experience")) {
            columns.employed(text(job, "company_name"), text(job, "company_domain"));
        }
        for study in items(record, "education") {
            let names = ["school", "school_domain"].map(|field| text(study, field));
            let names = names.into_iter().flatten().filter_map(school);
            columns.schools.extend(names);
        }
        columns
    }

    /// Of what a request gives.
    pub(super) fn of_request(query: &Query) -> Self {
        let given = |field: &str| query.body.get(field).and_then(Value::as_str);
        let employer = given("company").and_then(company);
        let mut columns = Self {
            street_address: given("address").and_then(street),
            city: given("city").and_then(city),
            state: given("state").and_then(province),
            postal_code: given("postal_code").and_then(code),
            birth_date: given("birth_date").and_then(date),
            employers: employer.iter().cloned().collect(),
            employer,
            title: given("job_title").and_then(job),
            schools: given("school").and_then(school).into_iter().collect(),
            ..Self::default()
        };
        let (first, last) = match &query.names {
            Some([first, last]) => (first.as_deref(), last.as_deref()),
            None => (given("first_name"), given("last_name")),
        };
        columns.name(first, last, given("full_name"));
        columns
    }

    /// Parts that are given apart, else those of the whole name.
    fn name(&mut self, first: Option<&str>, last: Option<&str>, full: Option<&str>) {
        let (first, last) = if first.is_none() && last.is_none() {
            let parts = full.and_then(|full| name::full(full).ok());
            let parts = parts.unwrap_or_default();
            (parts.first, parts.last)
        } else {
            let clean = |part: Option<&str>, by: Part| part.and_then(|part| by(part).ok());
            (clean(first, name::first), clean(last, name::last))
        };
        self.given_name = first.as_deref().and_then(folded);
        self.family_name = last.as_deref().and_then(folded);
        if let Some(given) = &self.given_name {
            let forms = nicknames::forms(given).iter();
            self.given_forms = forms.map(|form| (*form).to_owned()).collect();
            self.given_forms.insert(given.clone());
        }
        let parts = [self.given_name.as_deref(), self.family_name.as_deref()];
        let whole = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        self.full_name = Some(whole).filter(|whole| !whole.is_empty());
    }

    fn employed(&mut self, name: Option<&str>, domain: Option<&str>) {
        self.employers.extend(name.and_then(company));
        for form in name.into_iter().flat_map(CompanyForm::readings) {
            self.employers.extend(keys::company_letters(&form));
        }
        self.employers.extend(domain.and_then(company));
        self.employers.extend(domain.and_then(keys::domain_label));
    }
}

/// Reads a part of a name.
type Part = fn(&str) -> Result<String, normalize::Unreadable>;

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    let text = value.get(field).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
}

fn items<'a>(record: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    let items = record.get(list).and_then(Value::as_array);
    items.into_iter().flatten()
}

fn folded(value: &str) -> Option<String> {
    Some(text::fold(value)).filter(|folded| !folded.is_empty())
}

fn street(line: &str) -> Option<String> {
    folded(&address::clean(line).ok()?)
}

fn city(name: &str) -> Option<String> {
    Some(keys::city_key(name)).filter(|key| !key.is_empty())
}

fn province(name: &str) -> Option<String> {
    state::clean(name, None).map_or_else(|_| folded(name), |state| folded(state.full_name))
}

fn code(value: &str) -> Option<String> {
    folded(&postal_code::clean(value).ok()?)
}

fn date(value: &str) -> Option<String> {
    Some(birth_date::clean(value).ok()?.to_string())
}

fn company(name: &str) -> Option<String> {
    Some(keys::company_name_key(name)).filter(|key| !key.is_empty())
}

fn school(name: &str) -> Option<String> {
    Some(keys::school_name_key(name)).filter(|key| !key.is_empty())
}

fn job(name: &str) -> Option<String> {
    folded(&title::clean(name).ok()?)
}

#[cfg(test)]
mod tests {
    use events_schema::record::RecordKind;
    use serde_json::json;

    use super::*;

    fn request(body: &Value, names: Option<[Option<String>; 2]>) -> Query {
        Query {
            subject: RecordKind::Person,
            kind: "name_company".to_owned(),
            noise: Vec::new(),
            body: body.as_object().unwrap().clone(),
            truth: None,
            names,
        }
    }

    #[test]
    fn a_record_and_a_request_for_it_have_the_same_columns() {
        let record = Columns::of_record(&json!({
            "full_name": "rené w. doe", "first_name": "rené", "last_name": "doe", "city": "cologne",
            "company_name": "northwind tools", "company_domain": "northwind.example",
        }));
        let body =
            json!({ "full_name": "Doe, René", "company": "Northwind Tools, Inc.", "city": "Köln" });
        let request = Columns::of_request(&request(&body, None));
        assert_eq!(record.full_name.as_deref(), Some("rene doe"));
        assert_eq!(record.full_name, request.full_name);
        assert_eq!(record.given_name, request.given_name);
        assert_eq!(record.city, request.city);
        assert_eq!(record.employer, request.employer);
        assert!(request.employers.is_subset(&record.employers));
    }

    #[test]
    fn names_that_the_source_has_apart_stay_apart() {
        let body = json!({ "full_name": "waller", "postal_code": "4011" });
        let apart = [None, Some("waller".to_owned())];
        let columns = Columns::of_request(&request(&body, Some(apart)));
        assert_eq!(columns.given_name, None);
        assert_eq!(columns.family_name.as_deref(), Some("waller"));
    }

    #[test]
    fn a_request_with_an_identifier_is_not_linked() {
        let is_linked = |body: Value| has_no_identifier(body.as_object().unwrap());
        assert!(is_linked(
            json!({ "full_name": "maya okafor", "company": "acme" })
        ));
        assert!(!is_linked(
            json!({ "full_name": "maya okafor", "phone": "+15550100" })
        ));
    }
}
