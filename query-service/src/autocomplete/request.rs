//! From a body to a column and a text.

use dialect::{Catalog, ColumnId, ValueType, column_of};
use events_schema::api::limits::{DEFAULT_COMPLETIONS, MAX_COMPLETED_CHARS, MAX_PAGE_LIMIT};
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use service_kit::{Fields, Problem};

const ACCEPTED: &[&str] = &["field", "text", "limit", "entity"];
const MAX_FIELD_CHARS: usize = 200;

/// Of persons, what says something of many of them. What reaches or tells of one person (addresses, phones, profiles,
/// what they wrote of themselves) is sold by the record, and not listed for nothing. Of companies all text is told.
const OF_MANY_PERSONS: &[&str] = &[
    "full_name",
    "first_name",
    "middle_name",
    "middle_initial",
    "last_name",
    "last_initial",
    "prefix",
    "suffix",
    "sex",
    "city",
    "state",
    "state_code",
    "country",
    "country_code",
    "job_title",
    "seniority_level",
    "job_function",
    "expense_category",
    "company_name",
    "company_domain",
    "company_industry",
    "company_size",
    "company_linkedin_url",
    "company_linkedin_id",
    "highest_degree_level",
    "confidence",
    "build_version",
    "emails.type",
    "emails.validation_status",
    "emails.confidence",
    "phones.type",
    "phones.confidence",
    "locations.city",
    "locations.state",
    "locations.state_code",
    "locations.country",
    "locations.country_code",
    "locations.continent",
    "locations.continent_code",
    "locations.confidence",
    "socials.network",
    "socials.confidence",
    "experience.title.cleaned",
    "experience.seniority_level",
    "experience.job_function",
    "experience.expense_category",
    "experience.organization.name.cleaned",
    "experience.organization.website",
    "experience.organization.linkedin_url",
    "experience.organization.linkedin_id",
    "experience.organization.industry",
    "experience.organization.size",
    "education.organization.name.cleaned",
    "education.organization.website",
    "education.organization.linkedin_url",
    "education.degree.cleaned",
    "education.degree_level",
    "education.field_of_study.cleaned",
    "certifications.name.cleaned",
    "certifications.institution",
    "skills.cleaned",
    "languages.cleaned",
    "languages.proficiency",
];

/// A request that can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutocompleteRequest {
    /// Whose column.
    pub kind: RecordKind,
    /// A column of text.
    pub column: ColumnId,
    /// What was typed so far; may be empty.
    pub text: String,
    /// Most values.
    pub limit: usize,
}

impl AutocompleteRequest {
    /// Reads a body. A field that persons and companies have is that of persons, unless `entity` says otherwise.
    ///
    /// # Errors
    /// 400 or 422 (`docs/API.md`, "Rules of every request").
    pub fn read(body: &Map<String, Value>) -> Result<Self, Problem> {
        let mut fields = Fields::new(body, ACCEPTED);
        let path = fields.required_string("field", MAX_FIELD_CHARS);
        fields.require("text");
        let text = text(&mut fields);
        let limit = fields.integer(
            "limit",
            1..=i64::from(MAX_PAGE_LIMIT),
            i64::from(DEFAULT_COMPLETIONS),
        );
        let entity = fields.optional_one_of("entity", &["person", "company"]);
        fields.check_names()?;
        let kinds: &[RecordKind] = match entity {
            Some("person") => &[RecordKind::Person],
            Some(_) => &[RecordKind::Company],
            None => &[RecordKind::Person, RecordKind::Company],
        };
        let found = kinds
            .iter()
            .find_map(|kind| Some((*kind, column_of(*kind, path.trim()).ok()?)));
        let named = !path.is_empty() && !fields.has_failed("field") && !fields.has_failed("entity");
        let Some((kind, column)) = found.filter(|_| named) else {
            if named {
                return Err(unknown(kinds, path));
            }
            return Err(fields.finish().err().unwrap_or_else(Problem::internal));
        };
        if let Err(why) = offered(kind, column) {
            fields.fail("field", why, None);
        }
        fields.finish()?;
        Ok(Self {
            kind,
            column,
            text: text.to_owned(),
            limit: usize::try_from(limit).unwrap_or_default(),
        })
    }
}

/// The text as it came; an empty one asks for the most frequent values.
fn text<'a>(fields: &mut Fields<'a>) -> &'a str {
    let Some(value) = fields.value("text") else {
        return "";
    };
    let Value::String(text) = value else {
        fields.fail("text", "must be a string", None);
        return "";
    };
    if text.chars().nth(MAX_COMPLETED_CHARS).is_some() {
        let error = format!("must be at most {MAX_COMPLETED_CHARS} characters");
        fields.fail("text", &error, None);
    }
    text
}

/// Whether values of a column are told.
fn offered(kind: RecordKind, column: ColumnId) -> Result<(), &'static str> {
    let column = Catalog::of(kind).column(column);
    if column.value != ValueType::Text {
        Err("is no text; only columns of text are completed")
    } else if kind == RecordKind::Person && !OF_MANY_PERSONS.contains(&column.path.as_str()) {
        Err("reaches or tells of one person, and is not completed")
    } else {
        Ok(())
    }
}

fn unknown(kinds: &[RecordKind], path: &str) -> Problem {
    let mut near: Vec<String> = Vec::new();
    let mut accepted: Vec<&str> = Vec::new();
    for kind in kinds {
        near.extend(column_of(*kind, path).err().unwrap_or_default());
        let columns = (0..).map(ColumnId).zip(Catalog::of(*kind).columns());
        let offered = columns.filter(|(id, column)| {
            offered(*kind, *id).is_ok() && column_of(*kind, &column.path) == Ok(*id)
        });
        accepted.extend(offered.map(|(_, column)| column.path.as_str()));
    }
    near.sort_unstable();
    near.dedup();
    accepted.sort_unstable();
    accepted.dedup();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let message = format!(
        "There is no such field of a {}: {path}.",
        names.join(" or ")
    );
    Problem::bad_request("unknown_field", message)
        .detail("unknown_fields", json!([path]))
        .detail("suggestions", near)
        .detail("accepted", accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: Value) -> Result<AutocompleteRequest, Problem> {
        AutocompleteRequest::read(body.as_object().unwrap())
    }

    fn column(body: Value) -> (RecordKind, &'static str) {
        let request = read(body).unwrap();
        let column = Catalog::of(request.kind).column(request.column);
        (request.kind, column.path.as_str())
    }

    #[test]
    fn a_field_is_that_of_persons_unless_only_companies_have_it_or_the_entity_says_so() {
        use RecordKind::{Company, Person};
        for (field, entity, expected) in [
            ("company_industry", None, (Person, "company_industry")),
            ("industry", None, (Company, "industry")),
            ("name", None, (Company, "name.cleaned")),
            ("City", None, (Person, "city")),
            ("city", Some("company"), (Company, "city")),
            ("skills", None, (Person, "skills.cleaned")),
            (
                "experience.title",
                None,
                (Person, "experience.title.cleaned"),
            ),
            (
                " locations.city ",
                Some("company"),
                (Company, "locations.city"),
            ),
        ] {
            let found = column(json!({"field": field, "text": "", "entity": entity}));
            assert_eq!(found, expected, "{field}");
        }
    }

    /// Every text column of a person stands in one of two lists, so that a new one is decided on.
    #[test]
    fn what_reaches_or_tells_of_one_person_is_not_completed() {
        let of_one = [
            "work_email",
            "mobile_phone",
            "linkedin_url",
            "linkedin_id",
            "headline.cleaned",
            "summary.cleaned",
            "emails.address",
            "emails.hash_sha256",
            "emails.hash_sha1",
            "emails.hash_md5",
            "phones.number",
            "locations.street_address",
            "locations.address_line_2",
            "locations.postal_code",
            "locations.postal_code_4",
            "locations.geo",
            "socials.url",
            "socials.username",
            "socials.id",
            "experience.description",
            "certifications.credential_id",
        ];
        let columns = Catalog::of(RecordKind::Person).columns().iter();
        let texts = columns.filter(|column| column.value == ValueType::Text);
        let undecided: Vec<&str> = texts
            .map(|column| column.path.as_str())
            .filter(|path| OF_MANY_PERSONS.contains(path) == of_one.contains(path))
            .collect();
        assert_eq!(undecided, [""; 0]);
    }
}
