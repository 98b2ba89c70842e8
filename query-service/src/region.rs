//! `default_region` of a request: where a phone number without a country code is read (`docs/CANON.md`, "phone").

use events_schema::api::limits::MAX_STRING_CHARS;
use service_kit::Fields;

const DEFAULT: &str = "US";

/// The region as an ISO 3166-1 alpha-2 code in capitals, `US` unless given; any other text is noted as wrong.
pub(crate) fn read(fields: &mut Fields<'_>) -> String {
    let Some(given) = fields.string("default_region", MAX_STRING_CHARS) else {
        return DEFAULT.to_owned();
    };
    let code = given.trim().to_ascii_uppercase();
    if !normalize::phone::is_region(&code) {
        fields.fail(
            "default_region",
            "expected an ISO 3166-1 alpha-2 code",
            None,
        );
    }
    code
}
