//! `POST /utility/hash/email` (`docs/CANON.md`, "Hashes of e-mail addresses").

use events_schema::api::limits::MAX_STRING_CHARS;
use normalize::email;
use serde_json::{Map, Value, json};
use service_kit::{Fields, Problem};

const PARAMETERS: &[&str] = &["email"];

/// An address to hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashRequest {
    given: String,
    address: String,
}

impl HashRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// 400 when there is no `email` or anything else; 422 when it is no address.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Problem> {
        let mut parameters = Fields::new(body, PARAMETERS);
        let given = parameters.required_string("email", MAX_STRING_CHARS);
        let mut address = String::new();
        if !given.is_empty() {
            match email::clean(given) {
                Ok(email) => address = email.address,
                Err(unreadable) => {
                    parameters.fail("email", unreadable.reason, unreadable.suggestion.as_deref())
                }
            }
        }
        parameters.finish()?;
        Ok(Self {
            given: given.to_owned(),
            address,
        })
    }

    /// Lower-case hexadecimal digests of the canonical address. Every one of them is found by `email_hash`, and so are
    /// those of the address as given, tag and dots kept: the index holds both.
    #[must_use]
    pub fn answer(&self) -> Value {
        let hashes = email::hashes(&self.address);
        json!({
            "email": self.given,
            "normalized_email": self.address,
            "hashes": {"sha256": hashes.sha256, "sha1": hashes.sha1, "md5": hashes.md5},
        })
    }
}
