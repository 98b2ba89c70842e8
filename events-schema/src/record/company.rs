//! Fields of a company (`docs/RECORDS.md`), in the order in which they are shown.

use super::field::{Field, FieldType as T};

const NAME: &[Field] = &[
    Field::titled("cleaned", T::Text),
    Field::new("display", T::Text),
    Field::new("raw", T::TextList),
];

const TICKER: &[Field] = &[
    Field::new("symbol", T::Code),
    Field::new("exchange", T::Code),
];

const SOCIAL: &[Field] = &[
    Field::new("network", T::Code),
    Field::new("url", T::Url),
    Field::new("username", T::Code),
    Field::new("id", T::Code),
];

const LOCATION: &[Field] = &[
    Field::titled("street_address", T::Text),
    Field::titled("address_line_2", T::Text),
    Field::titled("city", T::Text),
    Field::titled("state", T::Text),
    Field::new("state_code", T::Code),
    Field::titled("country", T::Text),
    Field::new("country_code", T::Code),
    Field::titled("continent", T::Text),
    Field::new("continent_code", T::Code),
    Field::new("postal_code", T::Code),
    Field::new("geo", T::Code),
    Field::new("raw", T::TextList),
    Field::new("current", T::Boolean),
    Field::new("primary", T::Boolean),
    Field::new("num_sources", T::Integer),
    Field::new("last_seen", T::Date),
];

const MONTH: &[Field] = &[
    Field::new("month", T::Date),
    Field::new("count", T::Integer),
    Field::new("net_change", T::Integer),
    Field::new("growth_rate", T::Number),
    Field::new("hires", T::Integer),
    Field::new("departures", T::Integer),
];

pub(super) const FIELDS: &[Field] = &[
    Field::new("service_id", T::Id),
    Field::new(
        "name",
        T::Object {
            fields: NAME,
            nullable: false,
        },
    ),
    Field::new("headline", T::Cleaned),
    Field::new("description", T::Cleaned),
    Field::new("domain", T::Url),
    Field::new("domains", T::List(&[Field::new("domain", T::Url)])),
    Field::new("industry", T::Vocabulary("industry")),
    Field::new("type", T::Vocabulary("type")),
    Field::new("size", T::Vocabulary("size")),
    Field::new("founded", T::Integer),
    Field::titled("city", T::Text),
    Field::titled("state", T::Text),
    Field::new("state_code", T::Code),
    Field::titled("country", T::Text),
    Field::new("country_code", T::Code),
    Field::new("linkedin_url", T::Url),
    Field::new("linkedin_id", T::Code),
    Field::new("linkedin_followers", T::Integer),
    Field::new("linkedin_employee_count", T::Integer),
    Field::new("tickers", T::List(TICKER)),
    Field::new("socials", T::List(SOCIAL)),
    Field::new("locations", T::List(LOCATION)),
    Field::new("service_employee_count", T::Integer),
    Field::new("service_average_tenure", T::Number),
    Field::new("service_new_hire_count", T::Periods),
    Field::new("service_attrition_count", T::Periods),
    Field::new("service_turnover_rate", T::Periods),
    Field::new("service_employee_growth_rate", T::Periods),
    Field::new("service_seniority_distribution", T::Map),
    Field::new("service_job_function_distribution", T::Map),
    Field::new("service_expense_category_distribution", T::Map),
    Field::new("service_tenure_distribution", T::Map),
    Field::new("service_education_distribution", T::Map),
    Field::new("service_seniority_growth_rate", T::PeriodsMap),
    Field::new("service_job_function_growth_rate", T::PeriodsMap),
    Field::new("service_expense_category_growth_rate", T::PeriodsMap),
    Field::new("service_employee_count_by_month", T::List(MONTH)),
    Field::new("num_sources", T::Integer),
    Field::new("last_seen", T::Date),
    Field::new("build_version", T::Code),
];
