//! The closed lists of contract C14, and what sources write for their values.
//!
//! A value of a list, or one that a table maps onto it, comes out `known`; anything else is kept in lower case, so
//! that a data build can count and name it.

mod lists;
mod mapping;
mod titles;

pub use lists::{COMPANY_SIZES, COMPANY_TYPES, INDUSTRIES, JOB_FUNCTIONS, SENIORITY_LEVELS};
pub use mapping::{company_size, company_type, industry};
pub use titles::{job_function, seniority_level};

/// A value after the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
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

    fn kept(value: String) -> Self {
        Self {
            value,
            known: false,
        }
    }
}
