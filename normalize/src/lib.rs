//! The canon: every normalization of Roster, one file a field.
//!
//! Ingestion, enrich and `/utility/*` call the same functions, so a value that was cleaned, hashed or stored by one
//! door is found by every other. What a field's canonical form is stands in `docs/CANON.md` and in the field's own file.
//!
//! Guarantees, held by property tests: *total* (any UTF-8 text gives a value or a reason, never a panic) and
//! *idempotent* (cleaning a cleaned value changes nothing). Everything here is pure: no I/O, no clock, no logging, no
//! configuration. What does not belong here: anything that needs a record, a build or a request to be decided.
//!
//! Tables are data files in `tables/` (sources and licences in the README beside them), compiled in.

pub mod address;
pub mod birth_date;
pub mod check;
pub mod city;
pub mod company;
pub mod compare;
pub mod country;
pub mod domain;
pub mod email;
pub mod email_hash;
pub mod keys;
pub mod linkedin_company;
pub mod name;
pub mod phone;
pub mod postal_code;
pub mod school;
pub mod social;
pub mod state;
pub mod text;
pub mod ticker;
pub mod title;
pub mod titlecase;
pub mod url;
pub mod vocabulary;

mod edition;
mod emoji;
mod garbled;
mod hangul;
mod link;
mod other_names;
mod sheet;
mod spelling;
mod table;

pub use edition::EDITION;

/// Why a value has no canonical form.
///
/// `Display` is the text shown to users; it never repeats the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// What was expected, e.g. "not a valid e-mail address".
    pub reason: &'static str,
    /// A near value that would be read, e.g. `maya@example.com` for `maya@@example.com`.
    pub suggestion: Option<String>,
}

impl Unreadable {
    /// A refusal without a suggestion.
    #[must_use]
    pub const fn new(reason: &'static str) -> Self {
        Self {
            reason,
            suggestion: None,
        }
    }
}

/// Builds the tables that are otherwise built by the first call of each field (some tens of milliseconds together), so
/// that a service can do it before it reports ready.
pub fn warm_up() {
    let _ = phone::assess("+12025550123");
    let _ = country::clean("us").is_ok();
    let _ = state::clean("us-ca", None).is_ok();
    let _ = name::full("dr. maya okafor phd").is_ok();
    let _ = name::is_placeholder("test");
    let _ = name::nicknames::forms("maya");
    let _ = compare::companies("jpmc", "jpmorgan chase");
    let _ = compare::schools("nyu", "nyu law school");
    let _ = company::bare_name("northwind tools inc");
    let _ = company::clean("northwind tools inc").is_ok();
    let _ = title::clean("vp").is_ok();
    let _ = vocabulary::industry("software");
    let _ = vocabulary::company_type("public");
    let _ = vocabulary::seniority_level("vp");
    let _ = vocabulary::job_function("sales");
    let _ = vocabulary::degree_level("msc");
    let _ = email::is_free_provider("gmail.com");
    let _ = email::is_disposable("mailinator.com");
    let _ = social::clean("github.com/maya").is_ok();
}
