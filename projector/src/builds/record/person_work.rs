//! The current job of a person and the flat columns, completed from each other.

use super::Reading;
use super::employment::{Employer, Job, average_tenure, years_of_experience};
use super::person::Person;
use super::reader::Cleaned;
use super::repeated::Repeated;

/// The current job and the flat columns, from each other.
pub(super) fn work(person: &mut Person, reading: &Reading, repeated: &mut Repeated) {
    let given = flat_job(person);
    for job in &mut person.experience {
        job.derive(reading, repeated);
    }
    let current = person
        .experience
        .iter_mut()
        .find(|job| job.is_current() && same_job(job, &given));
    match current {
        Some(job) => complete(job, &given),
        None if given.title.is_some() || given.organization.cleaned_name().is_some() => {
            let mut job = given;
            job.current = Some(true);
            job.derive(reading, repeated);
            person.experience.insert(0, job);
        }
        None => {}
    }
    if let Some(job) = person
        .experience
        .iter()
        .find(|job| job.is_current())
        .cloned()
    {
        flatten(person, job);
    }
    let flat = &mut person.flat;
    flat.years_of_experience = flat
        .years_of_experience
        .or_else(|| years_of_experience(&person.experience, reading));
    flat.avg_tenure_months = flat
        .avg_tenure_months
        .or_else(|| average_tenure(&person.experience));
}

/// The flat columns as a job.
fn flat_job(person: &mut Person) -> Job {
    let flat = &person.flat;
    Job {
        title: person.title_given.take(),
        seniority_level: flat.seniority_level.clone(),
        job_function: flat.job_function.clone(),
        expense_category: flat.expense_category.clone(),
        is_decision_maker: flat.is_decision_maker,
        is_platform_worker: flat.is_platform_worker,
        organization: Employer {
            service_id: flat.company_service_id.clone(),
            name: person.company_given.take(),
            website: flat.company_domain.clone(),
            linkedin_url: flat.company_linkedin_url.clone(),
            linkedin_id: flat.company_linkedin_id.clone(),
            industry: flat.company_industry.clone(),
            size: flat.company_size.clone(),
        },
        ..Job::default()
    }
}

fn same_job(job: &Job, flat: &Job) -> bool {
    let titles = (&job.title, &flat.title);
    let same_title = match titles {
        (Some(a), Some(b)) => a.cleaned == b.cleaned,
        _ => true,
    };
    same_title && job.organization.agrees(&flat.organization)
}

/// What the job lacks, from the flat columns.
fn complete(job: &mut Job, flat: &Job) {
    fn fill<T: Clone>(to: &mut Option<T>, from: &Option<T>) {
        if to.is_none() {
            to.clone_from(from);
        }
    }
    fill(&mut job.title, &flat.title);
    fill(&mut job.seniority_level, &flat.seniority_level);
    fill(&mut job.job_function, &flat.job_function);
    fill(&mut job.expense_category, &flat.expense_category);
    fill(&mut job.is_decision_maker, &flat.is_decision_maker);
    fill(&mut job.is_platform_worker, &flat.is_platform_worker);
    let (to, from) = (&mut job.organization, &flat.organization);
    fill(&mut to.service_id, &from.service_id);
    fill(&mut to.name, &from.name);
    fill(&mut to.website, &from.website);
    fill(&mut to.linkedin_url, &from.linkedin_url);
    fill(&mut to.linkedin_id, &from.linkedin_id);
    fill(&mut to.industry, &from.industry);
    fill(&mut to.size, &from.size);
}

/// What the flat columns lack, from the current job. Columns of the employer come from one job or from none, so that no
/// two employers are mixed.
fn flatten(person: &mut Person, job: Job) {
    let flat = &mut person.flat;
    let cleaned = |value: Option<Cleaned>| value.and_then(|value| value.cleaned);
    flat.job_title = cleaned(job.title);
    flat.seniority_level = flat.seniority_level.take().or(job.seniority_level);
    flat.job_function = flat.job_function.take().or(job.job_function);
    flat.expense_category = flat.expense_category.take().or(job.expense_category);
    flat.is_decision_maker = flat.is_decision_maker.or(job.is_decision_maker);
    flat.is_platform_worker = flat.is_platform_worker.or(job.is_platform_worker);
    let company = job.organization;
    flat.company_name = cleaned(company.name);
    flat.company_service_id = flat.company_service_id.take().or(company.service_id);
    flat.company_domain = flat.company_domain.take().or(company.website);
    flat.company_linkedin_url = flat.company_linkedin_url.take().or(company.linkedin_url);
    flat.company_linkedin_id = flat.company_linkedin_id.take().or(company.linkedin_id);
    flat.company_industry = flat.company_industry.take().or(company.industry);
    flat.company_size = flat.company_size.take().or(company.size);
}
