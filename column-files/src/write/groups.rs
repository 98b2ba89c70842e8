//! Which columns share one dictionary.
//!
//! A flat column mostly repeats an element of a list (`work_email` is one of `emails.address`): together they need their
//! values once. Columns that are not named here have a dictionary of their own.

use dialect::{Catalog, ValueType};
use events_schema::record::RecordKind;

use crate::layout::dictionary_file;

/// Name of a group and its columns.
type Shared = (&'static str, &'static [&'static str]);

/// Of persons and of companies.
const BOTH: &[Shared] = &[
    ("profile_url", &["linkedin_url", "socials.url"]),
    ("profile_id", &["linkedin_id", "socials.id"]),
    ("city", &["city", "locations.city"]),
    ("state", &["state", "locations.state"]),
    ("state_code", &["state_code", "locations.state_code"]),
    ("country", &["country", "locations.country"]),
    ("country_code", &["country_code", "locations.country_code"]),
];

const PERSON: &[Shared] = &[
    ("email", &["work_email", "emails.address"]),
    ("phone", &["mobile_phone", "phones.number"]),
    ("title", &["job_title", "experience.title.cleaned"]),
    (
        "seniority_level",
        &["seniority_level", "experience.seniority_level"],
    ),
    ("job_function", &["job_function", "experience.job_function"]),
    (
        "expense_category",
        &["expense_category", "experience.expense_category"],
    ),
    (
        "company_id",
        &["company_service_id", "experience.organization.service_id"],
    ),
    (
        "company_name",
        &["company_name", "experience.organization.name.cleaned"],
    ),
    (
        "company_domain",
        &["company_domain", "experience.organization.website"],
    ),
    (
        "company_industry",
        &["company_industry", "experience.organization.industry"],
    ),
    (
        "company_size",
        &["company_size", "experience.organization.size"],
    ),
    (
        "company_linkedin_url",
        &[
            "company_linkedin_url",
            "experience.organization.linkedin_url",
        ],
    ),
    (
        "company_linkedin_id",
        &["company_linkedin_id", "experience.organization.linkedin_id"],
    ),
    (
        "degree_level",
        &["highest_degree_level", "education.degree_level"],
    ),
];

const COMPANY: &[Shared] = &[
    ("name", &["name.cleaned", "name.display", "name"]),
    ("domain", &["domain", "domains.domain"]),
];

/// Columns with one dictionary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// File of the dictionary.
    pub(super) file: String,
    /// What the values are.
    pub(super) value: ValueType,
    /// Places of the columns in the catalogue.
    pub(super) columns: Vec<usize>,
}

/// The groups of a kind that are named here.
fn shared(kind: RecordKind) -> impl Iterator<Item = &'static Shared> {
    let own = match kind {
        RecordKind::Person => PERSON,
        RecordKind::Company => COMPANY,
    };
    BOTH.iter().chain(own)
}

/// All groups of a kind; booleans need no dictionary and are in none.
pub(super) fn of(kind: RecordKind) -> Vec<Group> {
    let catalog = Catalog::of(kind);
    let mut groups: Vec<Group> = Vec::new();
    for (at, column) in catalog.columns().iter().enumerate() {
        if column.value == ValueType::Boolean {
            continue;
        }
        let named = shared(kind).find(|(_, paths)| paths.contains(&column.path.as_str()));
        let file = dictionary_file(named.map_or(column.path.as_str(), |(name, _)| name));
        match groups.iter_mut().find(|group| group.file == file) {
            Some(group) => group.columns.push(at),
            None => groups.push(Group {
                file,
                value: column.value,
                columns: vec![at],
            }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_share_values_exist_and_are_of_one_type() {
        for kind in RecordKind::ALL {
            let catalog = Catalog::of(kind);
            let groups = of(kind);
            for (name, paths) in shared(kind) {
                let group = groups
                    .iter()
                    .find(|group| group.file == dictionary_file(name))
                    .unwrap();
                let of_group: Vec<_> = group
                    .columns
                    .iter()
                    .map(|at| &catalog.columns()[*at])
                    .collect();
                assert_eq!(of_group.len(), paths.len(), "{kind} {name}");
                for column in of_group {
                    assert!(
                        paths.contains(&column.path.as_str()),
                        "{kind} {name} {}",
                        column.path
                    );
                    assert_eq!(column.value, group.value, "{kind} {}", column.path);
                }
            }
            let columns: usize = groups.iter().map(|group| group.columns.len()).sum();
            let booleans = catalog
                .columns()
                .iter()
                .filter(|column| column.value == ValueType::Boolean)
                .count();
            assert_eq!(columns + booleans, catalog.columns().len());
        }
    }
}
