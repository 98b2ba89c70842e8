//! Schools, certificates, languages.

use normalize::vocabulary;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Reading;
use super::dates::newest_day;
use super::reader::{Cleaned, Reader, plain};

/// A school.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct School {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) website: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) linkedin_url: Option<String>,
}

/// One course of study.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Study {
    pub(super) organization: School,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) degree: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) degree_level: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) field_of_study: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) current: Option<bool>,
}

impl Study {
    /// Reads an element of `education`.
    pub(super) fn read(object: Map<String, Value>, reader: &mut Reader<'_>) -> Option<Self> {
        let mut study = Self::default();
        for (key, value) in object {
            if value.is_null() {
                continue;
            }
            match key.as_str() {
                "school" => {
                    study.organization.name = reader.school("education.organization.name", value);
                }
                "school_domain" => {
                    study.organization.website =
                        reader.domain("education.organization.website", value);
                }
                "organization" => study.organization.read(value, reader),
                "degree" => {
                    study.degree = reader.cleaned("education.degree", value, vocabulary::degree);
                }
                "degree_level" => {
                    study.degree_level = level("education.degree_level", value, reader)
                }
                "field_of_study" => {
                    study.field_of_study = reader.cleaned("education.field_of_study", value, plain)
                }
                "start_date" => study.start_date = reader.date("education.start_date", value),
                "end_date" => study.end_date = reader.date("education.end_date", value),
                "current" => study.current = reader.boolean("education.current", &value),
                other => reader.tally.unknown_key(&format!("education.{other}")),
            }
        }
        let school = &study.organization;
        let is_empty = school.name.is_none() && school.website.is_none() && study.degree.is_none();
        (!is_empty).then_some(study)
    }

    /// The level from the degree's name, `current` from its end.
    pub(super) fn derive(&mut self, reading: &Reading) {
        if self.degree_level.is_none() {
            let degree = self
                .degree
                .as_ref()
                .and_then(|degree| degree.cleaned.as_deref());
            self.degree_level = degree.and_then(vocabulary::degree_level).map(str::to_owned);
        }
        if self.current.is_none() {
            let end = self.end_date.as_deref().and_then(newest_day);
            self.current = end.map(|end| end > reading.reference_date);
        }
    }
}

impl School {
    fn read(&mut self, value: Value, reader: &mut Reader<'_>) {
        if let Value::String(_) = value {
            self.name = reader.school("education.organization.name", value);
            return;
        }
        let Some(object) = reader.object("education.organization", value) else {
            return;
        };
        for (key, value) in object {
            match key.as_str() {
                "name" => self.name = reader.school("education.organization.name", value),
                "website" => self.website = reader.domain("education.organization.website", value),
                "linkedin_url" => {
                    let field = "education.organization.linkedin_url";
                    self.linkedin_url = reader.company_profile(field, value);
                }
                other => reader
                    .tally
                    .unknown_key(&format!("education.organization.{other}")),
            }
        }
    }
}

/// A level as sources write it: `bachelor`, `Master's`, `phd`.
pub(super) fn level(field: &str, value: Value, reader: &mut Reader<'_>) -> Option<String> {
    let text = reader.text(field, value)?;
    let joined = text
        .replace([' ', '-'], "_")
        .replace(['\'', '\u{2019}'], "");
    if vocabulary::DEGREE_LEVELS.contains(&joined.as_str()) {
        return Some(joined);
    }
    match vocabulary::degree_level(&text) {
        Some(level) => Some(level.to_owned()),
        None => {
            reader.tally.unmapped(field, &text);
            Some("other".to_owned())
        }
    }
}

/// The highest level of the studies.
pub(super) fn highest(studies: &[Study]) -> Option<String> {
    let place = |level: &str| {
        vocabulary::DEGREE_LEVELS
            .iter()
            .position(|step| *step == level)
    };
    studies
        .iter()
        .filter_map(|study| study.degree_level.as_deref())
        .max_by_key(|level| place(level))
        .map(str::to_owned)
}

/// A certificate.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Certificate {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    institution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credential_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issue_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_date: Option<String>,
}

impl Certificate {
    /// Reads an element of `certifications`.
    pub(super) fn read(object: Map<String, Value>, reader: &mut Reader<'_>) -> Option<Self> {
        let mut certificate = Self::default();
        for (key, value) in object {
            match key.as_str() {
                "name" => certificate.name = reader.cleaned("certifications.name", value, plain),
                "institution" => {
                    certificate.institution = reader.text("certifications.institution", value)
                }
                "credential_id" => {
                    certificate.credential_id = reader.given("certifications.credential_id", value)
                }
                "issue_date" => {
                    certificate.issue_date = reader.date("certifications.issue_date", value)
                }
                "expiration_date" => {
                    certificate.expiration_date =
                        reader.date("certifications.expiration_date", value);
                }
                other => reader.tally.unknown_key(&format!("certifications.{other}")),
            }
        }
        certificate.name.is_some().then_some(certificate)
    }
}

/// A language, or a skill without proficiency.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Ability {
    #[serde(flatten)]
    name: Cleaned,
    #[serde(skip_serializing_if = "Option::is_none")]
    proficiency: Option<String>,
}

impl Ability {
    /// Reads an element of `skills` or `languages`: a text or `{cleaned, raw, proficiency}`.
    pub(super) fn read(
        list: &str,
        mut object: Map<String, Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let proficiency = object
            .remove("proficiency")
            .and_then(|value| reader.text(&format!("{list}.proficiency"), value));
        let name = reader.cleaned(list, Value::Object(object), plain)?;
        Some(Self { name, proficiency })
    }
}
