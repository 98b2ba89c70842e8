//! A text that never changes while the process runs, answered with a tag: who holds it already is told so with 304.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

/// Hexadecimal digits of a tag.
const TAG_CHARS: usize = 32;

/// The text and its tag, made once.
#[derive(Debug, Clone)]
pub struct Tagged {
    text: Bytes,
    tag: String,
}

impl Tagged {
    /// Its tag follows from the text alone: every instance of a version has the same.
    pub fn new(text: String) -> Self {
        let mut digest = hex::encode(Sha256::digest(&text));
        digest.truncate(TAG_CHARS);
        Self {
            text: text.into(),
            tag: format!("\"{digest}\""),
        }
    }

    /// 200 with the text, or 304 for a client that has it (`If-None-Match`); both with `ETag` and `Cache-Control`.
    pub fn answer(
        &self,
        asked: &HeaderMap,
        content_type: &'static str,
        cache_control: &'static str,
    ) -> Response {
        let is_known = values(asked, &header::IF_NONE_MATCH)
            .any(|tag| tag == "*" || tag.trim_start_matches("W/") == self.tag);
        let mut response = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            ([(header::CONTENT_TYPE, content_type)], self.text.clone()).into_response()
        };
        let headers = response.headers_mut();
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static(cache_control),
        );
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

/// What stands in all headers of a name, which are comma lists.
pub fn values<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(tagged: &Tagged, tags: &[&str]) -> u16 {
        let mut asked = HeaderMap::new();
        for tag in tags {
            let tag = HeaderValue::from_str(tag).unwrap();
            asked.append(header::IF_NONE_MATCH, tag);
        }
        let answer = tagged.answer(&asked, "text/plain", "no-cache");
        assert_eq!(answer.headers()[header::ETAG], tagged.tag.as_str());
        answer.status().as_u16()
    }

    #[test]
    fn who_has_the_text_is_told_so_and_who_has_another_gets_it() {
        let tagged = Tagged::new("a".to_owned());
        let (own, other) = (tagged.tag.clone(), Tagged::new("b".to_owned()).tag);
        assert_eq!(status(&tagged, &[]), 200);
        assert_eq!(status(&tagged, &[&other]), 200);
        assert_eq!(status(&tagged, &[&own]), 304);
        assert_eq!(status(&tagged, &[&format!("{other}, W/{own}")]), 304);
        assert_eq!(status(&tagged, &[&other, "*"]), 304);
    }
}
