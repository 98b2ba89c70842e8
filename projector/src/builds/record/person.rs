//! A person as stored, and how a line is read into one. What is derived stands in `person_derive`.

use events_schema::record::Confidence;
use normalize::{email, name, phone, vocabulary};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::contact::{Mailbox, Phone};
use super::data_point::confidence;
use super::education::{self, Ability, Certificate, Study};
use super::employment::Job;
use super::place::{Named, Place};
use super::reader::{Cleaned, Reader, plain};
use super::social::Account;
use super::{Reject, scalars};

const SEXES: [&str; 3] = ["female", "male", "other"];
/// Phones without a country code are read in this region.
const DEFAULT_REGION: &str = "US";

scalars! {
    /// The scalar fields of a person, without `service_id`.
    Scalars {
        full_name: String, first_name: String, middle_name: String, middle_initial: String,
        last_name: String, last_initial: String, prefix: String, suffix: String,
        sex: String, birth_date: String, birth_year: i64, birth_month: i64, birth_day: i64, age: i64,
        work_email: String, mobile_phone: String, linkedin_url: String, linkedin_id: String,
        linkedin_followers: i64, linkedin_connections: i64,
        city: String, state: String, state_code: String, country: String, country_code: String,
        job_title: String, seniority_level: String, job_function: String, expense_category: String,
        is_decision_maker: bool, is_platform_worker: bool,
        company_service_id: String, company_name: String, company_domain: String, company_industry: String,
        company_size: String, company_linkedin_url: String, company_linkedin_id: String,
        years_of_experience: i64, avg_tenure_months: f64, highest_degree_level: String,
        confidence: Confidence, num_sources: i64, last_seen: String, build_version: String,
        current_jobs_last_updated: String, current_jobs_last_confirmed: String,
        current_location_last_updated: String, current_location_last_confirmed: String,
    }
}

/// A person.
#[derive(Debug, Default, Serialize)]
pub(super) struct Person {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) service_id: Option<Uuid>,
    #[serde(flatten)]
    pub(super) flat: Scalars,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) headline: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<Cleaned>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) emails: Vec<Mailbox>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) phones: Vec<Phone>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) locations: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) socials: Vec<Account>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) experience: Vec<Job>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) education: Vec<Study>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) certifications: Vec<Certificate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skills: Vec<Ability>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) languages: Vec<Ability>,
    #[serde(rename = "_name_aliases", skip_serializing_if = "Vec::is_empty")]
    pub(super) name_aliases: Vec<String>,
    #[serde(rename = "_merged_ids", skip_serializing_if = "Vec::is_empty")]
    pub(super) merged_ids: Vec<Uuid>,
    /// The current employer's name as given.
    #[serde(skip)]
    pub(super) company_given: Option<Cleaned>,
    /// What stood behind the family name where that was given apart: `jr.`
    #[serde(skip)]
    pub(super) suffix_of_last: Option<String>,
    /// Whether `first_name` was given and is no name: a title alone.
    #[serde(skip)]
    pub(super) has_title_for_first: bool,
    /// Whether `sex` was given as `m`.
    #[serde(skip)]
    pub(super) has_sex_m: bool,
    /// The current job's title as given.
    #[serde(skip)]
    pub(super) title_given: Option<Cleaned>,
}

/// What is read first and needed for other fields.
#[derive(Default)]
pub(super) struct Given {
    pub(super) service_id: Option<String>,
    pub(super) full_name: Option<String>,
    pub(super) work_email: Option<email::Email>,
    pub(super) place: Named,
}

/// Reads a line's object. Names and flat columns are settled by `person_derive`.
pub(super) fn read(
    object: Map<String, Value>,
    reader: &mut Reader<'_>,
) -> Result<(Person, Given), Reject> {
    let (mut person, mut given) = (Person::default(), Given::default());
    let mut phones = Vec::new();
    for (key, value) in object {
        if value.is_null() {
            continue;
        }
        match key.as_str() {
            "service_id" => match value {
                Value::String(text) if text.trim().is_empty() => {}
                Value::String(text) => given.service_id = Some(text),
                _ => return Err(Reject::BadServiceId),
            },
            "full_name" => given.full_name = reader.given("full_name", value),
            "work_email" => given.work_email = reader.by("work_email", value, email::clean),
            "mobile_phone" | "phones" => phones.push((key, value)),
            _ => {
                let Some(value) = given.place.take(&key, value, "", reader) else {
                    continue;
                };
                let Some(value) = scalar(&mut person, &key, value, reader) else {
                    continue;
                };
                if let Some(_unknown) = list(&mut person, &key, value, reader) {
                    reader.tally.unknown_key(&key);
                }
            }
        }
    }
    // Only now the title is known.
    let function = person.flat.job_function.take();
    person.flat.job_function = reader.job_function(
        "job_function",
        function.as_deref(),
        person.title_given.as_ref(),
    );
    given.place.settle("", reader);
    let region = given
        .place
        .country_code
        .as_deref()
        .filter(|code| phone::is_region(code))
        .unwrap_or(DEFAULT_REGION);
    for (key, value) in phones {
        if key == "phones" {
            let objects = reader.objects("phones", value, "number");
            person.phones = objects
                .into_iter()
                .filter_map(|item| Phone::read(item, region, reader))
                .collect();
        } else {
            person.flat.mobile_phone =
                reader.by("mobile_phone", value, |text| phone::clean(text, region));
        }
    }
    Ok((person, given))
}

/// Takes a scalar field; the value comes back if the key is none.
fn scalar(person: &mut Person, key: &str, value: Value, reader: &mut Reader<'_>) -> Option<Value> {
    let flat = &mut person.flat;
    match key {
        "first_name" => {
            let is_title = value.as_str().is_some_and(is_title_alone);
            flat.first_name = reader.by(key, value, name::first);
            person.has_title_for_first = is_title && flat.first_name.is_none();
        }
        "last_name" => {
            let read = reader.by(key, value, name::last_and_suffix);
            (flat.last_name, person.suffix_of_last) =
                read.map_or((None, None), |(last, suffix)| (Some(last), suffix));
        }
        "middle_name" => flat.middle_name = reader.text(key, value),
        "middle_initial" => flat.middle_initial = reader.text(key, value),
        "last_initial" => flat.last_initial = reader.text(key, value),
        "prefix" => flat.prefix = reader.text(key, value),
        "suffix" => flat.suffix = reader.text(key, value),
        "sex" => {
            let text = value.as_str().map(str::trim);
            person.has_sex_m = text.is_some_and(|text| text.eq_ignore_ascii_case("m"));
            flat.sex = reader.one_of(key, written_out(value), &SEXES);
        }
        "birth_date" => flat.birth_date = reader.born(key, value),
        "birth_year" => {
            let text = reader.integer(key, &value).map(|year| year.to_string());
            let born = text.and_then(|text| reader.born(key, Value::from(text)));
            flat.birth_year = born.and_then(|year| year.parse().ok());
        }
        "birth_month" => {
            flat.birth_month = reader.integer_within(key, &value, 1..=12);
        }
        "birth_day" => {
            flat.birth_day = reader.integer_within(key, &value, 1..=31);
        }
        "age" => flat.age = reader.count(key, &value),
        "linkedin_url" => flat.linkedin_url = reader.by(key, value, profile),
        "linkedin_id" => flat.linkedin_id = reader.given(key, value),
        "linkedin_followers" => flat.linkedin_followers = reader.count(key, &value),
        "linkedin_connections" => flat.linkedin_connections = reader.count(key, &value),
        "job_title" => person.title_given = reader.title(key, value),
        "seniority_level" => {
            flat.seniority_level = reader.vocabulary(key, value, vocabulary::seniority_level)
        }
        "job_function" => flat.job_function = reader.given(key, value),
        "expense_category" => flat.expense_category = reader.text(key, value),
        "is_decision_maker" => flat.is_decision_maker = reader.boolean(key, &value),
        "is_platform_worker" => flat.is_platform_worker = reader.boolean(key, &value),
        "company_service_id" => flat.company_service_id = reader.id(key, value),
        "company_name" => person.company_given = reader.company(key, value),
        "company_domain" => flat.company_domain = reader.domain(key, value),
        "company_industry" => {
            flat.company_industry = reader.vocabulary(key, value, vocabulary::industry)
        }
        "company_size" => {
            flat.company_size = reader.vocabulary(key, value, vocabulary::company_size)
        }
        "company_linkedin_url" => flat.company_linkedin_url = reader.company_profile(key, value),
        "company_linkedin_id" => flat.company_linkedin_id = reader.given(key, value),
        "years_of_experience" => flat.years_of_experience = reader.integer(key, &value),
        "avg_tenure_months" => flat.avg_tenure_months = reader.number(key, &value),
        "highest_degree_level" => flat.highest_degree_level = education::level(key, value, reader),
        "confidence" => flat.confidence = confidence(key, value, reader),
        "num_sources" => flat.num_sources = reader.count(key, &value),
        "last_seen" => flat.last_seen = reader.seen(key, value),
        // A record belongs to the build that it is loaded in.
        "build_version" => {}
        "current_jobs_last_updated" => flat.current_jobs_last_updated = reader.date(key, value),
        "current_jobs_last_confirmed" => flat.current_jobs_last_confirmed = reader.date(key, value),
        "current_location_last_updated" => {
            flat.current_location_last_updated = reader.date(key, value)
        }
        "current_location_last_confirmed" => {
            flat.current_location_last_confirmed = reader.date(key, value)
        }
        _ => return Some(value),
    }
    None
}

/// Whether a name in front of which it stands is read without it: a title.
fn is_title_alone(text: &str) -> bool {
    const NAME: &str = "xavier";
    let with_name = name::first(&format!("{text} {NAME}"));
    text.contains(char::is_alphabetic) && with_name.is_ok_and(|read| read == NAME)
}

/// The letters and words of forms in other languages (`docs/RECORDS.md`, "Fields of a person"). `h` stays: beside it, `m` is `mujer`.
fn written_out(sex: Value) -> Value {
    let lower = sex.as_str().map(str::trim).map(str::to_lowercase);
    let known = match lower.as_deref() {
        Some("f" | "w" | "woman" | "frau" | "weiblich" | "femme" | "mujer" | "femenino") => {
            "female"
        }
        Some("m" | "man" | "mann" | "männlich" | "homme" | "hombre" | "masculino") => "male",
        _ => return sex,
    };
    Value::from(known)
}

/// Takes a list or a `{cleaned, raw}`; the value comes back if the key is none.
fn list(person: &mut Person, key: &str, value: Value, reader: &mut Reader<'_>) -> Option<Value> {
    match key {
        "headline" => person.headline = reader.cleaned(key, value, plain),
        "summary" => person.summary = reader.cleaned(key, value, plain),
        "emails" => {
            let items = reader.objects(key, value, "address");
            person.emails = items
                .into_iter()
                .filter_map(|item| Mailbox::read(item, reader))
                .collect();
        }
        "locations" => {
            let items = reader.objects(key, value, "raw");
            person.locations = items
                .into_iter()
                .filter_map(|item| Place::read(item, reader))
                .collect();
        }
        "socials" => {
            let items = reader.objects(key, value, "url");
            person.socials = items
                .into_iter()
                .filter_map(|item| Account::read(item, false, reader))
                .collect();
        }
        "experience" => {
            let items = reader.objects(key, value, "title");
            person.experience = items
                .into_iter()
                .filter_map(|item| Job::read(item, reader))
                .collect();
        }
        "education" => {
            let items = reader.objects(key, value, "school");
            person.education = items
                .into_iter()
                .filter_map(|item| Study::read(item, reader))
                .collect();
        }
        "certifications" => {
            let items = reader.objects(key, value, "name");
            person.certifications = items
                .into_iter()
                .filter_map(|item| Certificate::read(item, reader))
                .collect();
        }
        "skills" => person.skills = abilities("skills", value, reader),
        "languages" => person.languages = abilities("languages", value, reader),
        "name_aliases" => person.name_aliases = reader.texts(key, value),
        "merged_ids" => {
            let ids = reader.items(key, value);
            let ids = ids.into_iter().filter_map(|id| reader.id("merged_ids", id));
            person.merged_ids = ids.filter_map(|id| Uuid::parse_str(&id).ok()).collect();
        }
        _ => return Some(value),
    }
    None
}

fn abilities(key: &str, value: Value, reader: &mut Reader<'_>) -> Vec<Ability> {
    let items = reader.objects(key, value, "cleaned");
    items
        .into_iter()
        .filter_map(|item| Ability::read(key, item, reader))
        .collect()
}

/// A personal page of LinkedIn.
fn profile(given: &str) -> Result<String, normalize::Unreadable> {
    let read = normalize::social::clean(given)?;
    if read.network == normalize::social::Network::Linkedin {
        Ok(read.url)
    } else {
        Err(normalize::Unreadable::new("not a LinkedIn profile"))
    }
}
