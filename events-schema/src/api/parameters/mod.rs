//! What a request body may hold, as JSON Schema: one place for the MCP tools, which are asked with these schemas, and for the
//! description of the REST interface (`GET /openapi.json`).
//!
//! Agents pay for each of these words, so that every description is a few of them. No rule is decided here: what a schema says, the reader of
//! that body decides, and tests beside each reader compare the names.

mod autocomplete;
mod discover;
mod enrich;
mod pieces;
mod report;
mod search;
mod utility;

use serde_json::Value;

use super::endpoint::Endpoint;

/// The option that concerns how the text of an answer looks and nothing else; agents are not told of it.
pub const PRETTY_PRINT: &str = "pretty_print";

/// The schema of an endpoint's body, less [`PRETTY_PRINT`]: closed, with an example of the whole in `examples`.
#[must_use]
pub fn of(endpoint: Endpoint) -> Value {
    match endpoint {
        Endpoint::PersonEnrich => enrich::person(),
        Endpoint::PersonSearch => search::person(),
        Endpoint::PersonDiscover => discover::person(),
        Endpoint::CompanyEnrich => enrich::company(),
        Endpoint::CompanySearch => search::company(),
        Endpoint::CompanyDiscover => discover::company(),
        Endpoint::UtilityClean => utility::clean(),
        Endpoint::UtilityHashEmail => utility::hash_email(),
        Endpoint::UtilityValidate => utility::validate(),
        Endpoint::Autocomplete => autocomplete::completion(),
        Endpoint::ReportPerson => report::person(),
        Endpoint::ReportCompany => report::company(),
    }
}

/// The options of enrich, which hold for every item of a bulk request where they stand beside its items, less [`PRETTY_PRINT`].
pub use enrich::options as enrich_options;
/// Where a phone number without a country code is read.
pub use pieces::region;
