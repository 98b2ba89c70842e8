//! What to write instead of a name that is not known: the nearest one, or what the usual other names mean. Suggested, never understood.

use events_schema::api::endpoint::Endpoint;
use events_schema::record::{Field, FieldType, RecordKind};

use crate::enrich::required::closed_list;

/// A name in a list of fields that no field has, or a value that its field cannot have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// The list that it stands in.
    pub parameter: &'static str,
    /// As it was given.
    pub name: String,
}

impl UnknownField {
    /// Names of one list.
    pub(crate) fn all(parameter: &'static str, names: Vec<String>) -> Vec<Self> {
        let one = |name| Self { parameter, name };
        names.into_iter().map(one).collect()
    }
}

/// Other names of parameters; each means something where the endpoint has that parameter.
const OF_ALL: &[(&[&str], &str)] = &[
    (&["fields", "columns", "select"], "include_fields"),
    (&["exclude"], "exclude_fields"),
    (&["sql", "q", "where", "search", "prompt"], "query"),
    (
        &[
            "size",
            "page_size",
            "per_page",
            "count",
            "top",
            "max_results",
        ],
        "limit",
    ),
    (&["skip", "page"], "offset"),
    (&["next_cursor", "page_token", "after"], "cursor"),
    (&["build"], "data_build"),
    (&["pretty"], "pretty_print"),
    (&["id", "uuid", "record_id"], "service_id"),
    (&["zip", "zip_code", "zipcode", "postcode"], "postal_code"),
    (&["location", "locality", "town"], "city"),
    (&["region", "province"], "state"),
    (&["country_code"], "country"),
    (
        &["linkedin", "linkedin_profile", "profile_url"],
        "linkedin_url",
    ),
    (&["ticker", "symbol", "stock_symbol"], "ticker_symbol"),
    (
        &["twitter_url", "twitter", "github_url", "facebook_url"],
        "social_url",
    ),
    (
        &["min_likelihood", "confidence", "min_match_confidence"],
        "min_confidence",
    ),
    (&["required"], "required_fields"),
];
const OF_PERSONS: &[(&[&str], &str)] = &[
    (
        &[
            "linkedin_url",
            "linkedin",
            "linkedin_profile",
            "profile_url",
            "profile",
            "url",
        ],
        "social_url",
    ),
    (&["name", "fullname"], "full_name"),
    (&["firstname", "given_name"], "first_name"),
    (&["lastname", "surname", "family_name"], "last_name"),
    (
        &[
            "company_name",
            "employer",
            "organization",
            "company_domain",
            "domain",
            "website",
        ],
        "company",
    ),
    (&["title", "position", "role", "occupation"], "job_title"),
    (&["email_address", "work_email", "mail", "e_mail"], "email"),
    (
        &["phone_number", "mobile", "mobile_phone", "telephone"],
        "phone",
    ),
    (&["university", "college", "education"], "school"),
    (
        &["dob", "birthday", "date_of_birth", "birthdate"],
        "birth_date",
    ),
    (&["street", "street_address"], "address"),
    (
        &["email_sha256", "email_md5", "hash", "hashed_email"],
        "email_hash",
    ),
];
const OF_COMPANIES: &[(&[&str], &str)] = &[
    (&["company", "company_name", "organization"], "name"),
    (
        &["website", "url", "homepage", "company_domain", "email"],
        "domain",
    ),
    (
        &["company_linkedin_url", "linkedin_company_url"],
        "linkedin_url",
    ),
];

/// For more wrong names nothing is looked up: a body may hold as many as it likes, and each takes some dozens of comparisons.
const MOST_LOOKED_UP: usize = 8;

/// For each of the first parameters that an endpoint does not know the one that is meant, where one comes near.
pub(crate) fn parameters(endpoint: Endpoint, unknown: &[&str], accepted: &[&str]) -> Vec<String> {
    let of_kind = match endpoint {
        Endpoint::PersonEnrich => OF_PERSONS,
        Endpoint::CompanyEnrich => OF_COMPANIES,
        _ => &[],
    };
    let meant = |name: &str| {
        let all = of_kind.iter().chain(OF_ALL);
        let mut all = all.filter(|(_, meant)| accepted.contains(meant));
        all.find(|(names, _)| names.contains(&name))
            .map(|(_, meant)| *meant)
    };
    let mut suggestions: Vec<String> = Vec::new();
    for name in unknown.iter().take(MOST_LOOKED_UP) {
        let name = name.to_lowercase().replace('-', "_");
        let near = || {
            dialect::nearest(&name, accepted.iter().copied(), 1)
                .first()
                .copied()
        };
        if let Some(found) = meant(&name).or_else(near)
            && !suggestions.iter().any(|known| known == found)
        {
            suggestions.push(found.to_owned());
        }
    }
    suggestions
}

/// The names or values among which each unknown one should be, and those of them that come near.
pub(crate) fn fields(kind: RecordKind, unknown: &[UnknownField]) -> (Vec<String>, Vec<String>) {
    let (mut accepted, mut suggestions) = (Vec::new(), Vec::new());
    let add = |list: &mut Vec<String>, names: Vec<String>| {
        for name in names {
            if !list.contains(&name) {
                list.push(name);
            }
        }
    };
    for UnknownField { name, .. } in unknown.iter().take(MOST_LOOKED_UP) {
        let beside = beside(kind, name);
        // Of a value the value alone is compared: its field is right.
        let told_apart = |name: &str| match name.split_once(':') {
            Some((_, value)) => value.trim().to_lowercase(),
            None => name.to_lowercase(),
        };
        let alone: Vec<String> = beside.iter().map(|one| told_apart(one)).collect();
        let near = dialect::nearest(&told_apart(name), alone.iter().map(String::as_str), 1);
        let near = near.first().and_then(|near| {
            let place = alone.iter().position(|one| one == near)?;
            beside.get(place).cloned()
        });
        add(&mut suggestions, near.into_iter().collect());
        add(&mut accepted, beside);
    }
    (accepted, suggestions)
}

/// What could stand in a name's place: values of its field, fields beside it in the same object, or else the fields of a record.
fn beside(kind: RecordKind, name: &str) -> Vec<String> {
    let (path, value) = match name.split_once(':') {
        Some((path, value)) => (path.trim(), Some(value)),
        None => (name, None),
    };
    if value.is_some()
        && let Some(field) = kind.field(path)
    {
        let values = values(field);
        if !values.is_empty() {
            return values
                .iter()
                .map(|value| format!("{path}:{value}"))
                .collect();
        }
        return vec![path.to_owned()];
    }
    let mut above = path;
    while let Some((shorter, _)) = above.rsplit_once('.') {
        above = shorter;
        if let Some(field) = kind.field(above) {
            let below = field.children().iter();
            let below: Vec<String> = below.map(|one| format!("{above}.{}", one.name)).collect();
            return if below.is_empty() {
                vec![above.to_owned()]
            } else {
                below
            };
        }
    }
    kind.fields()
        .iter()
        .map(|one| one.name.to_owned())
        .collect()
}

fn values(field: &Field) -> &'static [&'static str] {
    match field.kind {
        FieldType::Enum(words) => words,
        FieldType::Vocabulary(name) => closed_list(name),
        FieldType::Boolean => &["true", "false"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_other_names_of_parameters_and_slips_are_suggested() {
        let person = [
            "email",
            "social_url",
            "full_name",
            "company",
            "include_fields",
        ];
        let company = ["domain", "name", "linkedin_url", "social_url", "city"];
        for (endpoint, accepted, unknown, suggested) in [
            (
                Endpoint::PersonEnrich,
                person,
                "linkedin_url",
                Some("social_url"),
            ),
            (Endpoint::PersonEnrich, person, "name", Some("full_name")),
            (
                Endpoint::PersonEnrich,
                person,
                "company_name",
                Some("company"),
            ),
            (Endpoint::PersonEnrich, person, "emial", Some("email")),
            (
                Endpoint::PersonEnrich,
                person,
                "fields",
                Some("include_fields"),
            ),
            (Endpoint::PersonEnrich, person, "zzzz", None),
        ]
        .into_iter()
        .chain([
            (Endpoint::CompanyEnrich, company, "website", Some("domain")),
            (Endpoint::CompanyEnrich, company, "company", Some("name")),
            (
                Endpoint::CompanyEnrich,
                company,
                "company_name",
                Some("name"),
            ),
        ]) {
            let suggestions = parameters(endpoint, &[unknown], &accepted);
            assert_eq!(
                suggestions.first().map(String::as_str),
                suggested,
                "{unknown}"
            );
        }
    }

    #[test]
    fn an_inner_name_is_sought_beside_it_and_a_value_among_those_of_its_field() {
        let unknown = |name: &str| UnknownField::all("include_fields", vec![name.to_owned()]);
        let of = |name| fields(RecordKind::Person, &unknown(name));
        let (accepted, suggestions) = of("emails.adress");
        assert_eq!(suggestions, ["emails.address"]);
        assert!(accepted.iter().all(|name| name.starts_with("emails.")));
        let (accepted, suggestions) = of("phones.type:cell");
        assert_eq!(suggestions, Vec::<String>::new());
        assert_eq!(of("phones.type:moblie").1, ["phones.type:mobile"]);
        assert_eq!(
            accepted.first().map(String::as_str),
            Some("phones.type:mobile")
        );
        let (accepted, suggestions) = of("ful_name");
        assert_eq!(suggestions, ["full_name"]);
        assert!(accepted.contains(&"emails".to_owned()));
        assert_eq!(of("city.name").0, ["city"]);
        assert_eq!(
            of("experience.organization.nam").1,
            ["experience.organization.name"]
        );
    }
}
