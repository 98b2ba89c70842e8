//! Response headers of what is answered; those of credits and limits are `events_schema::api::usage`.

use std::fmt::Display;

use http::{HeaderMap, HeaderName, HeaderValue};

/// The build that was asked.
pub(super) const DATA_BUILD: &str = "data-build";

/// Sets a header; a value that no header can hold is left out.
pub(super) fn put(headers: &mut HeaderMap, name: &'static str, value: &dyn Display) {
    if let Ok(value) = HeaderValue::from_str(&value.to_string()) {
        headers.insert(HeaderName::from_static(name), value);
    }
}
