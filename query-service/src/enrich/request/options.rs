//! The options of an enrich request, the same for persons and companies.

use events_schema::api::limits::{DEFAULT_ENRICH_LIMIT, MAX_ENRICH_LIMIT};
use events_schema::record::{Confidence, RecordKind};
use service_kit::Fields;

use super::{RequestRefusal, Wanted};
use crate::enrich::required::RequiredFields;
use crate::instead::UnknownField;
use crate::pin::Pin;
use crate::render::{View, field_list};
use crate::spending::MaxCredits;

/// A list of keys that a body may have, and the options behind them.
macro_rules! with_options {
    ($($key:expr),* $(,)?) => {
        &[
            $($key,)*
            "multiple_results",
            "limit",
            "min_confidence",
            "required_fields",
            "include_fields",
            "exclude_fields",
            "titlecase",
            "pretty_print",
            "explain",
            $crate::pin::DATA_BUILD,
            $crate::spending::MAX_CREDITS,
        ]
    };
}
pub(super) use with_options;

/// Options, as they were read.
pub(super) struct Options {
    pub(super) wanted: Wanted,
    pub(super) view: View,
    pub(super) explain: bool,
    pub(super) pin: Option<Pin>,
    pub(super) max_credits: Option<MaxCredits>,
}

/// Reads the options; formats at fault are noted in `fields`, what is a 400 is returned.
pub(super) fn read(kind: RecordKind, fields: &mut Fields<'_>) -> Result<Options, RequestRefusal> {
    let multiple_results = fields.boolean("multiple_results", false);
    let limit = fields.optional_integer("limit", 1..=i64::from(MAX_ENRICH_LIMIT));
    let min_confidence = fields.one_of("min_confidence", Confidence::NAMES, "low");
    let required = field_list(fields, "required_fields");
    let include = field_list(fields, "include_fields");
    let exclude = field_list(fields, "exclude_fields");
    let titlecase = fields.boolean("titlecase", false);
    let pretty_print = fields.boolean("pretty_print", false);
    let explain = fields.boolean("explain", false);
    let pin = Pin::read(fields);
    let max_credits = MaxCredits::read(fields);
    if fields.is_given("limit") && !multiple_results && !fields.has_failed("multiple_results") {
        return Err(RequestRefusal::LimitWithoutMultiple);
    }
    let mut unknown = Vec::new();
    let required = RequiredFields::parse(kind, &required)
        .map_err(|names| unknown.extend(UnknownField::all("required_fields", names)));
    let view = View::new(kind, &include, &exclude, titlecase, pretty_print)
        .map_err(|names| unknown.extend(names));
    let (Ok(required), Ok(view)) = (required, view) else {
        unknown.dedup();
        return Err(RequestRefusal::UnknownFields { unknown, kind });
    };
    let limit = limit
        .and_then(|limit| u32::try_from(limit).ok())
        .unwrap_or(DEFAULT_ENRICH_LIMIT);
    let wanted = Wanted {
        multiple_results,
        limit: if multiple_results { limit } else { 1 },
        min_confidence: min_confidence.parse().unwrap_or(Confidence::Low),
        required,
    };
    Ok(Options {
        wanted,
        view,
        explain,
        pin,
        max_credits,
    })
}
