//! Fields of a person (`docs/RECORDS.md`), in the order in which they are shown.

use super::field::{Field, FieldType as T};

const CONFIDENCE: T = T::Enum(&["high", "moderate", "low"]);
const NETWORKS: &[&str] = &[
    "linkedin",
    "twitter",
    "github",
    "facebook",
    "instagram",
    "youtube",
    "tiktok",
    "mastodon",
    "other",
];
const DEGREES: &[&str] = &[
    "high_school",
    "associates",
    "bachelors",
    "masters",
    "doctorate",
    "professional",
    "certificate",
    "other",
];

const EMAIL: &[Field] = &[
    Field::new("address", T::Text),
    Field::new("type", T::Enum(&["work", "personal", "other"])),
    Field::new("current", T::Boolean),
    Field::new("validated", T::Boolean),
    Field::new(
        "validation_status",
        T::Enum(&["valid", "accept_all", "risky", "invalid", "unknown"]),
    ),
    Field::new("confidence", CONFIDENCE),
    Field::new("last_seen", T::Date),
    Field::new("num_sources", T::Integer),
    Field::new("hash_sha256", T::Code),
    Field::new("hash_sha1", T::Code),
    Field::new("hash_md5", T::Code),
];

const PHONE: &[Field] = &[
    Field::new("number", T::Code),
    Field::new(
        "type",
        T::Enum(&["mobile", "landline", "work", "voip", "toll_free", "other"]),
    ),
    Field::new("current", T::Boolean),
    Field::new("confidence", CONFIDENCE),
    Field::new("last_seen", T::Date),
    Field::new("num_sources", T::Integer),
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
    Field::new("postal_code_4", T::Code),
    Field::new("geo", T::Code),
    Field::new("raw", T::TextList),
    Field::new("current", T::Boolean),
    Field::new("confidence", CONFIDENCE),
    Field::new("last_seen", T::Date),
    Field::new("num_sources", T::Integer),
];

const SOCIAL: &[Field] = &[
    Field::new("network", T::Enum(NETWORKS)),
    Field::new("url", T::Url),
    Field::new("username", T::Code),
    Field::new("id", T::Code),
    Field::new("current", T::Boolean),
    Field::new("confidence", CONFIDENCE),
    Field::new("last_seen", T::Date),
    Field::new("num_sources", T::Integer),
];

const EMPLOYER: &[Field] = &[
    Field::new("service_id", T::Id),
    Field::titled("name", T::Cleaned),
    Field::new("website", T::Url),
    Field::new("linkedin_url", T::Url),
    Field::new("linkedin_id", T::Code),
    Field::new("industry", T::Vocabulary("industry")),
    Field::new("size", T::Vocabulary("size")),
];

const EXPERIENCE: &[Field] = &[
    Field::titled("title", T::Cleaned),
    Field::new("seniority_level", T::Vocabulary("seniority_level")),
    Field::new("job_function", T::Vocabulary("job_function")),
    Field::new("expense_category", T::Text),
    Field::new("is_decision_maker", T::Boolean),
    Field::new("is_platform_worker", T::Boolean),
    Field::new(
        "organization",
        T::Object {
            fields: EMPLOYER,
            nullable: false,
        },
    ),
    Field::new("start_date", T::Date),
    Field::new("end_date", T::Date),
    Field::new("current", T::Boolean),
    Field::new("tenure_months", T::Integer),
    Field::new("description", T::Text),
];

const SCHOOL: &[Field] = &[
    Field::titled("name", T::Cleaned),
    Field::new("website", T::Url),
    Field::new("linkedin_url", T::Url),
];

const EDUCATION: &[Field] = &[
    Field::new(
        "organization",
        T::Object {
            fields: SCHOOL,
            nullable: false,
        },
    ),
    Field::new("degree", T::Cleaned),
    Field::new("degree_level", T::Enum(DEGREES)),
    Field::new("field_of_study", T::Cleaned),
    Field::new("start_date", T::Date),
    Field::new("end_date", T::Date),
    Field::new("current", T::Boolean),
];

const CERTIFICATION: &[Field] = &[
    Field::new("name", T::Cleaned),
    Field::titled("institution", T::Text),
    Field::new("credential_id", T::Code),
    Field::new("issue_date", T::Date),
    Field::new("expiration_date", T::Date),
];

const LANGUAGE: &[Field] = &[
    Field::new("cleaned", T::Text),
    Field::new("raw", T::TextList),
    Field::new("proficiency", T::Text),
];

pub(super) const FIELDS: &[Field] = &[
    Field::new("service_id", T::Id),
    Field::titled("full_name", T::Text),
    Field::titled("first_name", T::Text),
    Field::titled("middle_name", T::Text),
    Field::titled("middle_initial", T::Text),
    Field::titled("last_name", T::Text),
    Field::titled("last_initial", T::Text),
    Field::titled("prefix", T::Text),
    Field::titled("suffix", T::Text),
    Field::new("sex", T::Enum(&["female", "male", "other"])),
    Field::new("birth_date", T::Date),
    Field::new("birth_year", T::Integer),
    Field::new("birth_month", T::Integer),
    Field::new("birth_day", T::Integer),
    Field::new("age", T::Integer),
    Field::new("work_email", T::Text),
    Field::new("mobile_phone", T::Code),
    Field::new("linkedin_url", T::Url),
    Field::new("linkedin_id", T::Code),
    Field::new("linkedin_followers", T::Integer),
    Field::new("linkedin_connections", T::Integer),
    Field::titled("city", T::Text),
    Field::titled("state", T::Text),
    Field::new("state_code", T::Code),
    Field::titled("country", T::Text),
    Field::new("country_code", T::Code),
    Field::titled("job_title", T::Text),
    Field::new("seniority_level", T::Vocabulary("seniority_level")),
    Field::new("job_function", T::Vocabulary("job_function")),
    Field::new("expense_category", T::Text),
    Field::new("is_decision_maker", T::Boolean),
    Field::new("is_platform_worker", T::Boolean),
    Field::new("company_service_id", T::Id),
    Field::titled("company_name", T::Text),
    Field::new("company_domain", T::Url),
    Field::new("company_industry", T::Vocabulary("industry")),
    Field::new("company_size", T::Vocabulary("size")),
    Field::new("company_linkedin_url", T::Url),
    Field::new("company_linkedin_id", T::Code),
    Field::new("years_of_experience", T::Integer),
    Field::new("avg_tenure_months", T::Number),
    Field::new("highest_degree_level", T::Enum(DEGREES)),
    Field::new("headline", T::Cleaned),
    Field::new("summary", T::Cleaned),
    Field::new("confidence", CONFIDENCE),
    Field::new("num_sources", T::Integer),
    Field::new("last_seen", T::Date),
    Field::new("build_version", T::Code),
    Field::new("current_jobs_last_updated", T::Date),
    Field::new("current_jobs_last_confirmed", T::Date),
    Field::new("current_location_last_updated", T::Date),
    Field::new("current_location_last_confirmed", T::Date),
    Field::new("emails", T::List(EMAIL)),
    Field::new("phones", T::List(PHONE)),
    Field::new("locations", T::List(LOCATION)),
    Field::new("socials", T::List(SOCIAL)),
    Field::new("experience", T::List(EXPERIENCE)),
    Field::new("education", T::List(EDUCATION)),
    Field::new("certifications", T::List(CERTIFICATION)),
    Field::new("skills", T::CleanedList(&[])),
    Field::new("languages", T::CleanedList(LANGUAGE)),
];
