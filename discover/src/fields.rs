//! The columns that words become conditions on: the one list of what can be asked, for customers and for a language model.

use events_schema::record::RecordKind;

use crate::read::Class;

/// Something that can be asked for.
#[derive(Debug)]
pub(crate) struct Field {
    /// As customers are told it.
    pub(crate) name: &'static str,
    /// The columns of search that conditions are on.
    pub(crate) paths: &'static [&'static str],
    /// What its values are.
    pub(crate) holds: Holds,
}

/// What the values of a field are, and by what one that somebody else read is known to be one (docs/DISCOVER.md, "With a
/// language model").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A word of a closed list.
    Closed,
    /// The name of a country, of which the vocabulary has all.
    Country,
    /// A city or a state that the build has.
    Place,
    /// The name of somebody or of an organization: the build has it, and the words say it.
    Name,
    /// An occupation of the vocabulary, or a job title that the build has.
    Title,
    /// A number that the words say.
    Number,
    /// The same of a share, which words say in percent.
    Share,
    /// A date, which is counted by the local rules alone.
    Date,
    /// True, or not.
    Flag,
    /// Only whether it is known.
    Contact,
}

const fn field(name: &'static str, paths: &'static [&'static str], holds: Holds) -> Field {
    Field { name, paths, holds }
}

const PERSON: &[Field] = &[
    field("full_name", &["full_name"], Holds::Name),
    field("first_name", &["first_name"], Holds::Name),
    field("last_name", &["last_name"], Holds::Name),
    field("job_title", &["job_title"], Holds::Title),
    field("seniority_level", &["seniority_level"], Holds::Closed),
    field("job_function", &["job_function"], Holds::Closed),
    field("company_name", &["company_name"], Holds::Name),
    field("company_domain", &["company_domain"], Holds::Name),
    field("company_industry", &["company_industry"], Holds::Closed),
    field("company_size", &["company_size"], Holds::Closed),
    field("city", &["city"], Holds::Place),
    field("state", &["state"], Holds::Place),
    field("country", &["country"], Holds::Country),
    field(
        "years_of_experience",
        &["years_of_experience"],
        Holds::Number,
    ),
    field("last_seen", &["last_seen"], Holds::Date),
    field("work_email", &["work_email"], Holds::Contact),
    field("linkedin_url", &["linkedin_url"], Holds::Contact),
    field("is_decision_maker", &["is_decision_maker"], Holds::Flag),
    field("is_platform_worker", &["is_platform_worker"], Holds::Flag),
];

const COMPANY: &[Field] = &[
    field("name", &["name.cleaned"], Holds::Name),
    field("domain", &["domain"], Holds::Name),
    field("industry", &["industry"], Holds::Closed),
    field("type", &["type"], Holds::Closed),
    field("size", &["size"], Holds::Closed),
    field("founded", &["founded"], Holds::Number),
    field("city", &["locations.city"], Holds::Place),
    field("state", &["locations.state"], Holds::Place),
    field("country", &["locations.country"], Holds::Country),
    field(
        "service_employee_count",
        &["service_employee_count"],
        Holds::Number,
    ),
    field(
        "service_average_tenure",
        &["service_average_tenure"],
        Holds::Number,
    ),
    field(
        "service_employee_growth_rate",
        &[
            "service_employee_growth_rate.1m",
            "service_employee_growth_rate.3m",
            "service_employee_growth_rate.6m",
            "service_employee_growth_rate.12m",
        ],
        Holds::Share,
    ),
    field("num_sources", &["num_sources"], Holds::Number),
    field("last_seen", &["last_seen"], Holds::Date),
    field("linkedin_url", &["linkedin_url"], Holds::Contact),
];

/// The fields of a kind of record.
pub(crate) const fn of(kind: RecordKind) -> &'static [Field] {
    match kind {
        RecordKind::Person => PERSON,
        RecordKind::Company => COMPANY,
    }
}

/// What can be asked about a kind of record, as customers are told it.
#[must_use]
pub fn supported_fields(kind: RecordKind) -> Vec<&'static str> {
    of(kind).iter().map(|field| field.name).collect()
}

/// The columns of a kind, and what each holds.
pub(crate) fn columns(kind: RecordKind) -> impl Iterator<Item = (&'static str, Holds)> {
    let fields = of(kind).iter();
    fields.flat_map(|field| field.paths.iter().map(|path| (*path, field.holds)))
}

/// The column at a path, and what it holds.
pub(crate) fn column(kind: RecordKind, path: &str) -> Option<(&'static str, Holds)> {
    columns(kind).find(|(known, _)| *known == path)
}

/// The class of which neighbours in a list are alternatives ("lawyers and nurses"); none for what is said besides.
pub(crate) fn list_class(path: &str) -> Option<Class> {
    Some(match path {
        "job_title" | "seniority_level" | "job_function" => Class::Role,
        "company_name" | "company_domain" | "domain" => Class::Company,
        "full_name" | "first_name" | "last_name" | "name.cleaned" => Class::Name,
        "company_industry" | "industry" => Class::Industry,
        "company_size" | "size" => Class::Size,
        "type" => Class::Type,
        "city" | "state" | "country" | "locations.city" | "locations.state"
        | "locations.country" => Class::Place,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use dialect::{Catalog, ValueType, closed_values};

    use super::*;

    #[test]
    fn every_column_is_one_of_search_and_holds_what_is_said_of_it() {
        for kind in RecordKind::ALL {
            let catalog = Catalog::of(kind);
            for (path, holds) in columns(kind) {
                let column = catalog.column(catalog.find(path).unwrap());
                assert_eq!(
                    closed_values(column).is_some(),
                    holds == Holds::Closed,
                    "{path}"
                );
                let holds_values = match column.value {
                    ValueType::Text => !matches!(
                        holds,
                        Holds::Number | Holds::Share | Holds::Date | Holds::Flag
                    ),
                    ValueType::Integer | ValueType::Number => {
                        matches!(holds, Holds::Number | Holds::Share)
                    }
                    ValueType::Date => holds == Holds::Date,
                    ValueType::Boolean => holds == Holds::Flag,
                    ValueType::Id => false,
                };
                assert!(holds_values, "{path}");
            }
        }
    }
}
