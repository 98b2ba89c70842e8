//! The closed lists (`docs/RECORDS.md`, "Closed lists"), and what sources write for their values.
//!
//! A value of a list, or one that a table maps onto it, comes out `known`; anything else is kept in lower case, so
//! that a data build can count and name it.

mod degrees;
mod lists;
mod mapping;
mod phrases;
mod titles;

pub use degrees::{degree, degree_level};
pub use lists::{
    COMPANY_SIZES, COMPANY_TYPES, DEGREE_LEVELS, INDUSTRIES, JOB_FUNCTIONS, SENIORITY_LEVELS,
};
pub use mapping::{company_size, company_sizes, company_type, industry};
pub use titles::{job_function, job_function_of, seniority_level};

use crate::text;

/// A value after the tables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mapped {
    /// A value of the closed list, or the text in lower case.
    pub value: String,
    /// True for a value of the closed list.
    pub known: bool,
}

impl Mapped {
    fn known(value: &str) -> Self {
        Self {
            value: value.to_owned(),
            known: true,
        }
    }

    fn kept(given: &str) -> Self {
        Self {
            value: text::clean(given),
            known: false,
        }
    }
}
