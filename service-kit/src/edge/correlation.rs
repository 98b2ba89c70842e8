//! `Correlation-ID`: the client's own name for a request, echoed and never interpreted.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::problem::Problem;

/// The header's name.
pub const CORRELATION_ID: HeaderName = HeaderName::from_static("correlation-id");

const MAX_BYTES: usize = 255;

/// The `Correlation-ID` of a request, if it sent one.
///
/// # Errors
/// 400 `malformed_header` unless it is 1 to 255 printable ASCII characters, given once.
pub fn correlation_id(headers: &HeaderMap) -> Result<Option<HeaderValue>, Problem> {
    let mut values = headers.get_all(CORRELATION_ID).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let bytes = value.as_bytes();
    let is_printable = bytes.iter().all(|byte| (0x20..0x7f).contains(byte));
    if values.next().is_some() || bytes.is_empty() || bytes.len() > MAX_BYTES || !is_printable {
        return Err(Problem::malformed_header(
            "Correlation-ID",
            "1 to 255 printable ASCII characters, given once",
        ));
    }
    Ok(Some(value.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_printable_ascii_of_bounded_length_is_taken() {
        let with = |value: &[u8]| {
            HeaderMap::from_iter([(CORRELATION_ID, HeaderValue::from_bytes(value).unwrap())])
        };
        assert_eq!(correlation_id(&HeaderMap::new()), Ok(None));
        assert!(correlation_id(&with(&[b'a'; 255])).unwrap().is_some());
        for bad in [b"".as_slice(), &[b'a'; 256], b"caf\xc3\xa9", b"a\tb"] {
            assert_eq!(correlation_id(&with(bad)).unwrap_err().status(), 400);
        }
    }
}
