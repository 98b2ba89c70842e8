//! The data build that a request asks for, instead of the active one (`docs/API.md`, "Data builds in requests").

use events_schema::api::limits::MAX_STRING_CHARS;
use events_schema::ids::BuildName;
use service_kit::Fields;

/// The field that names it.
pub const DATA_BUILD: &str = "data_build";

/// A build that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The build.
    pub build: BuildName,
    /// The field that names it.
    pub field: &'static str,
    /// What the field holds.
    pub given: String,
}

impl Pin {
    /// Reads `data_build`; none where it is not given.
    pub fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let given = fields.string(DATA_BUILD, MAX_STRING_CHARS)?;
        let Ok(build) = given.parse() else {
            fields.fail(DATA_BUILD, "must be the name of a data build", None);
            return None;
        };
        Some(Self {
            build,
            field: DATA_BUILD,
            given: given.to_owned(),
        })
    }
}
