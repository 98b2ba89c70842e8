//! The keys of the proofs, and what a tag under one of them is over.

use std::str::FromStr;

use events_schema::api::keyed_hash::keyed_hash;
use http::HeaderValue;
use service_kit::config::Secret;
use subtle::ConstantTimeEq as _;

const MAX_SECRETS: usize = 2;
const MIN_SECRET_CHARS: usize = 16;

/// The keys of the proofs, one or two: the first one signs, each is taken, so that one can be replaced without a pause.
#[derive(Debug, Clone, Default)]
pub struct ForwardSecrets(Vec<Secret<String>>);

/// A setting of secrets that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("must be one or two secrets of at least 16 characters, separated by a comma")]
pub struct SecretsFault;

impl FromStr for ForwardSecrets {
    type Err = SecretsFault;

    fn from_str(text: &str) -> Result<Self, SecretsFault> {
        let secrets: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_strong = |secret: &&str| secret.len() >= MIN_SECRET_CHARS;
        if secrets.len() > MAX_SECRETS || !secrets.iter().all(is_strong) {
            return Err(SecretsFault);
        }
        let secrets = secrets.into_iter().map(|one| Secret::new(one.to_owned()));
        Ok(Self(secrets.collect()))
    }
}

impl ForwardSecrets {
    /// The one that signs what this instance says first. None where none is set.
    pub(super) fn first(&self) -> Option<&Secret<String>> {
        self.0.first()
    }

    /// The one under which `given` is the tag of `statement`. None where it is no tag of it.
    pub(super) fn of(&self, statement: &Statement, given: &Tag) -> Option<&Secret<String>> {
        // Each is tried, whatever matched before: the time must not tell which one it was.
        self.0.iter().fold(None, |found, secret| {
            let is_it: bool = statement.tag(secret).ct_eq(given).into();
            if is_it { Some(secret) } else { found }
        })
    }
}

/// An HMAC-SHA-256.
pub(super) type Tag = [u8; 32];

/// What a tag is over: parts, each preceded by its length, so that no two lists of parts give the same bytes.
pub(super) struct Statement(Vec<u8>);

impl Statement {
    /// `form` says what the parts are: another form gets another name, so that none is taken for the other.
    pub(super) fn of(form: &str) -> Self {
        Self(Vec::new()).and(form.as_bytes())
    }

    pub(super) fn and(mut self, part: &[u8]) -> Self {
        self.0.extend(part.len().to_be_bytes());
        self.0.extend(part);
        self
    }

    /// One that is absent differs from an empty one.
    pub(super) fn and_header(self, value: Option<&HeaderValue>) -> Self {
        self.and(&[u8::from(value.is_some())])
            .and(value.map_or(&b""[..], HeaderValue::as_bytes))
    }

    /// The tag under `secret`, as it stands in a header.
    pub(super) fn signed(&self, secret: &Secret<String>) -> Option<HeaderValue> {
        HeaderValue::from_str(&hex::encode(self.tag(secret))).ok()
    }

    fn tag(&self, secret: &Secret<String>) -> Tag {
        keyed_hash(secret.expose(), [&self.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_one_or_two_secrets_that_nobody_guesses() {
        for bad in [
            "",
            "short",
            "a secret of sixteen,",
            "a secret of sixteen,a secret of sixteen,a secret of sixteen",
        ] {
            assert_eq!(bad.parse::<ForwardSecrets>().unwrap_err(), SecretsFault);
        }
        for good in [
            "a secret of sixteen",
            "a secret of sixteen, another secret of it",
        ] {
            assert!(good.parse::<ForwardSecrets>().is_ok());
        }
    }

    #[test]
    fn no_two_lists_of_parts_give_the_same_bytes() {
        let of = |parts: &[&str]| {
            let parts = parts.iter();
            parts
                .fold(Statement::of("form"), |all, part| all.and(part.as_bytes()))
                .0
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
        let header = |value: Option<&HeaderValue>| Statement::of("form").and_header(value).0;
        assert_ne!(header(None), header(Some(&HeaderValue::from_static(""))));
    }
}
