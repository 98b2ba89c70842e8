//! Names by which other sources call what a record has, and names of what no record has. They are suggested, never understood: a
//! filter that means something else than it says would be billed.

use events_schema::record::RecordKind;

/// Columns that say it, best first; none where no column does.
pub(crate) type Columns = &'static [&'static str];

const BOTH: &[(&[&str], Columns)] = &[
    (
        &[
            "location",
            "locality",
            "place",
            "region",
            "geography",
            "hq",
            "headquarters",
            "hq_location",
        ],
        &["city", "state", "country"],
    ),
    (&["province"], &["state"]),
    (&["town"], &["city"]),
    (
        &["zip", "zip_code", "zipcode", "postcode", "postal_code"],
        &["locations.postal_code"],
    ),
    (
        &["linkedin", "linkedin_profile", "profile_url"],
        &["linkedin_url"],
    ),
    (&["twitter", "github", "facebook"], &["socials.url"]),
    (&["uuid", "record_id"], &["service_id"]),
    (&["updated_at", "last_updated"], &["last_seen"]),
    (
        &[
            "revenue",
            "annual_revenue",
            "funding",
            "valuation",
            "technologies",
        ],
        &[],
    ),
];

const PERSON: &[(&[&str], Columns)] = &[
    (&["name", "fullname", "person_name"], &["full_name"]),
    (&["given_name", "firstname", "forename"], &["first_name"]),
    (&["family_name", "surname", "lastname"], &["last_name"]),
    (
        &["email", "mail", "e_mail", "email_address"],
        &["work_email", "emails.address"],
    ),
    (&["personal_email"], &["emails.address", "emails.type"]),
    (
        &["phone", "phone_number", "telephone", "mobile", "cell"],
        &["mobile_phone", "phones.number"],
    ),
    (
        &["company", "employer", "organization", "current_company"],
        &["company_name", "company_domain"],
    ),
    (
        &["website", "url", "domain", "company_website"],
        &["company_domain"],
    ),
    (&["industry", "sector"], &["company_industry"]),
    (
        &[
            "employees",
            "headcount",
            "employee_count",
            "company_employees",
            "size",
        ],
        &["company_size"],
    ),
    (
        &["position", "role", "occupation", "job", "current_title"],
        &["job_title", "title"],
    ),
    (&["seniority", "level", "job_level"], &["seniority_level"]),
    (&["function", "department"], &["job_function"]),
    (
        &["school", "university", "college", "alma_mater"],
        &["education.organization.name.cleaned"],
    ),
    (
        &["degree"],
        &["highest_degree_level", "education.degree.cleaned"],
    ),
    (&["gender"], &["sex"]),
    (&["skill"], &["skills"]),
    (&["language"], &["languages"]),
    (
        &["experience_years", "total_experience"],
        &["years_of_experience"],
    ),
    (
        &["salary", "income", "interests", "nationality", "religion"],
        &[],
    ),
];

const COMPANY: &[(&[&str], Columns)] = &[
    (
        &[
            "employees",
            "headcount",
            "employee_count",
            "num_employees",
            "number_of_employees",
            "staff",
        ],
        &["service_employee_count", "size"],
    ),
    (
        &["website", "url", "homepage", "web", "company_domain"],
        &["domain"],
    ),
    (
        &[
            "company",
            "company_name",
            "organization",
            "organization_name",
        ],
        &["name"],
    ),
    (&["company_industry", "sector", "vertical"], &["industry"]),
    (&["company_size"], &["size"]),
    (&["company_type", "ownership"], &["type"]),
    (
        &[
            "founded_year",
            "year_founded",
            "founding_year",
            "established",
        ],
        &["founded"],
    ),
    (
        &["ticker", "ticker_symbol", "stock_symbol"],
        &["tickers.symbol"],
    ),
    (
        &[
            "growth",
            "growth_rate",
            "employee_growth",
            "headcount_growth",
        ],
        &["service_employee_growth_rate.12m"],
    ),
    (&["tenure"], &["service_average_tenure"]),
    (&["followers"], &["linkedin_followers"]),
    (&["about", "summary"], &["description.cleaned"]),
    (
        &[
            "skills", "email", "emails", "phone", "phones", "sales", "ceo", "naics", "sic",
        ],
        &[],
    ),
];

/// What is meant by a usual other name of a column.
pub(crate) fn meant_by(kind: RecordKind, name: &str) -> Option<Columns> {
    let own = match kind {
        RecordKind::Person => PERSON,
        RecordKind::Company => COMPANY,
    };
    let mut all = own.iter().chain(BOTH);
    all.find(|(names, _)| names.contains(&name))
        .map(|(_, columns)| *columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::column_of;

    #[test]
    fn other_names_are_no_columns_and_mean_columns() {
        for (kind, own) in [(RecordKind::Person, PERSON), (RecordKind::Company, COMPANY)] {
            for (names, columns) in own.iter().chain(BOTH) {
                for column in *columns {
                    assert!(column_of(kind, column).is_ok(), "{kind} {column}");
                }
                let is_list = |name: &&&str| crate::Catalog::of(kind).find_list(name).is_some();
                for name in names.iter().filter(|name| !is_list(name)) {
                    assert!(column_of(kind, name).is_err(), "{kind} {name}");
                }
            }
        }
    }
}
