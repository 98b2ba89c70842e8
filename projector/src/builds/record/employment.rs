//! Jobs: wrapped or flat, with level and function from what is given or from the title.

use normalize::vocabulary;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Reading;
use super::dates::{MonthIndex, first_month, last_month, month_of, newest_day};
use super::reader::{Cleaned, Reader};
use super::repeated::Repeated;

/// Nobody holds a job for more than a hundred years.
const MAX_TENURE_MONTHS: i64 = 1_200;

/// The employer of a job.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Employer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) service_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) website: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) linkedin_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) linkedin_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) industry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<String>,
}

/// One job.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Job {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seniority_level: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) job_function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expense_category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_decision_maker: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_platform_worker: Option<bool>,
    pub(super) organization: Employer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) current: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tenure_months: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
}

impl Job {
    /// Reads an element of `experience`.
    pub(super) fn read(object: Map<String, Value>, reader: &mut Reader<'_>) -> Option<Self> {
        let mut job = Self::default();
        let mut function = None;
        for (key, value) in object {
            if value.is_null() {
                continue;
            }
            let Some(value) = job.organization.take_flat(&key, value, reader) else {
                continue;
            };
            match key.as_str() {
                "title" => job.title = reader.title("experience.title", value),
                "seniority_level" => {
                    job.seniority_level = reader.vocabulary(
                        "experience.seniority_level",
                        value,
                        vocabulary::seniority_level,
                    );
                }
                "job_function" => function = reader.given("experience.job_function", value),
                "expense_category" => {
                    job.expense_category = reader.text("experience.expense_category", value)
                }
                "is_decision_maker" => {
                    job.is_decision_maker = reader.boolean("experience.is_decision_maker", &value);
                }
                "is_platform_worker" => {
                    job.is_platform_worker =
                        reader.boolean("experience.is_platform_worker", &value);
                }
                "start_date" => job.start_date = reader.date("experience.start_date", value),
                "end_date" => job.end_date = reader.date("experience.end_date", value),
                "current" => job.current = reader.boolean("experience.current", &value),
                "tenure_months" => {
                    job.tenure_months = reader.integer_within(
                        "experience.tenure_months",
                        &value,
                        0..=MAX_TENURE_MONTHS,
                    );
                }
                "description" => job.description = reader.text("experience.description", value),
                "organization" => job.organization.read(value, reader),
                other => reader.tally.unknown_key(&format!("experience.{other}")),
            }
        }
        job.job_function = reader.job_function(
            "experience.job_function",
            function.as_deref(),
            job.title.as_ref(),
        );
        let is_empty =
            job.title.is_none() && job.organization.is_empty() && job.start_date.is_none();
        (!is_empty).then_some(job)
    }

    /// Level and function from the title, `current` from the end, tenure at the reference date.
    pub(super) fn derive(&mut self, reading: &Reading, repeated: &mut Repeated) {
        if let Some(title) = self
            .title
            .as_ref()
            .and_then(|title| title.cleaned.as_deref())
            .filter(|_| self.seniority_level.is_none() || self.job_function.is_none())
        {
            let role = repeated.role(title);
            self.seniority_level = self.seniority_level.take().or(role.seniority_level);
            self.job_function = self.job_function.take().or(role.job_function);
        }
        if self.current.is_none() {
            let end = self.end_date.as_deref().and_then(newest_day);
            self.current = end.map(|end| end > reading.reference_date);
        }
        if self.tenure_months.is_none() {
            self.tenure_months = self.months(reading).map(|(from, to)| to - from);
        }
    }

    /// From the first month to the month of the end, or of the reference date for a job that goes on.
    pub(super) fn months(&self, reading: &Reading) -> Option<(MonthIndex, MonthIndex)> {
        let from = self.start_date.as_deref().and_then(first_month)?;
        let at = month_of(reading.reference_date);
        let to = match self.end_date.as_deref() {
            Some(end) => last_month(end)?.min(at),
            None if self.is_current() => at,
            None => return None,
        };
        (to >= from).then_some((from, to))
    }

    /// An absent `current` means current, unless the job has an end.
    pub(super) fn is_current(&self) -> bool {
        self.current.unwrap_or(self.end_date.is_none())
    }
}

impl Employer {
    fn read(&mut self, value: Value, reader: &mut Reader<'_>) {
        if let Value::String(_) = value {
            self.name = reader.company("experience.organization.name", value);
            return;
        }
        let Some(object) = reader.object("experience.organization", value) else {
            return;
        };
        for (key, value) in object {
            let flat = match key.as_str() {
                "service_id" => "company_service_id",
                "name" => "company_name",
                "website" => "company_domain",
                "linkedin_url" => "company_linkedin_url",
                "linkedin_id" => "company_linkedin_id",
                "industry" => "company_industry",
                "size" => "company_size",
                other => {
                    reader
                        .tally
                        .unknown_key(&format!("experience.organization.{other}"));
                    continue;
                }
            };
            self.take_flat(flat, value, reader);
        }
    }

    /// Takes a flat key of the employer; the value comes back if it is none of these.
    pub(super) fn take_flat(
        &mut self,
        key: &str,
        value: Value,
        reader: &mut Reader<'_>,
    ) -> Option<Value> {
        match key {
            "company_service_id" => {
                self.service_id = reader.id("experience.organization.service_id", value);
            }
            "company_name" => {
                self.name = reader.company("experience.organization.name", value);
            }
            "company_domain" => {
                self.website = reader.domain("experience.organization.website", value)
            }
            "company_linkedin_url" => {
                self.linkedin_url =
                    reader.company_profile("experience.organization.linkedin_url", value);
            }
            "company_linkedin_id" => {
                self.linkedin_id = reader.given("experience.organization.linkedin_id", value);
            }
            "company_industry" => {
                self.industry = reader.vocabulary(
                    "experience.organization.industry",
                    value,
                    vocabulary::industry,
                );
            }
            "company_size" => {
                self.size = reader.vocabulary(
                    "experience.organization.size",
                    value,
                    vocabulary::company_size,
                );
            }
            _ => return Some(value),
        }
        None
    }

    fn is_empty(&self) -> bool {
        self.name.is_none()
            && self.website.is_none()
            && self.service_id.is_none()
            && self.linkedin_url.is_none()
    }

    /// The canonical name.
    pub(super) fn cleaned_name(&self) -> Option<&str> {
        self.name.as_ref()?.cleaned.as_deref()
    }

    /// Whether both can be one employer: nothing that both have differs.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let same = |a: Option<&str>, b: Option<&str>| a.is_none() || b.is_none() || a == b;
        if self.service_id.is_some() && other.service_id.is_some() {
            return self.service_id == other.service_id;
        }
        same(self.website.as_deref(), other.website.as_deref())
            && same(self.cleaned_name(), other.cleaned_name())
    }
}

/// Whole years of the union of the jobs' months.
pub(super) fn years_of_experience(jobs: &[Job], reading: &Reading) -> Option<i64> {
    let mut spans: Vec<(MonthIndex, MonthIndex)> =
        jobs.iter().filter_map(|job| job.months(reading)).collect();
    spans.sort_unstable();
    let (mut total, mut reached) = (0, MonthIndex::MIN);
    for (from, to) in &spans {
        total += (to - reached.max(*from)).max(0);
        reached = reached.max(*to);
    }
    (!spans.is_empty()).then_some(total / 12)
}

/// The mean of the tenures, to a tenth of a month.
pub(super) fn average_tenure(jobs: &[Job]) -> Option<f64> {
    let tenures: Vec<i64> = jobs.iter().filter_map(|job| job.tenure_months).collect();
    let count = i64::try_from(tenures.len())
        .ok()
        .filter(|count| *count > 0)?;
    let tenths = i32::try_from(tenures.iter().sum::<i64>() * 10 / count).ok()?;
    Some(f64::from(tenths) / 10.0)
}
