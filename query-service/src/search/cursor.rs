//! Where a page ended, as an opaque text that a client sends back: the build, the query, the last record.
//!
//! A cursor gives no access to anything: whoever makes one up reads what the query would have found anyway.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dialect::Query;
use events_schema::ids::BuildName;
use sha2::{Digest, Sha256};

/// Version of the layout: version, fingerprint, rank (big endian), name of the build.
const VERSION: u8 = 1;
const FINGERPRINT_BYTES: usize = 16;
const RANK_BYTES: usize = 4;

/// What tells queries apart: the first bytes of the SHA-256 of the canonical text.
pub type Fingerprint = [u8; FINGERPRINT_BYTES];

/// A place in a query's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The build that the pages come from.
    pub build: BuildName,
    /// The query that it belongs to.
    pub query: Fingerprint,
    /// Rank of the last record of the page before.
    pub last_rank: u32,
}

/// The fingerprint of a query: the same for every spelling of it.
#[must_use]
pub fn fingerprint(query: &Query) -> Fingerprint {
    let digest = Sha256::new()
        .chain_update(query.kind.name())
        .chain_update([0])
        .chain_update(query.text())
        .finalize();
    let mut fingerprint = Fingerprint::default();
    for (to, from) in fingerprint.iter_mut().zip(digest) {
        *to = from;
    }
    fingerprint
}

impl Cursor {
    /// As text: letters, digits, `-` and `_`.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.query);
        bytes.extend(self.last_rank.to_be_bytes());
        bytes.extend(self.build.as_str().as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// From text; `None` when it is no cursor.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (version, rest) = bytes.split_first()?;
        let (query, rest) = rest.split_first_chunk::<FINGERPRINT_BYTES>()?;
        let (rank, build) = rest.split_first_chunk::<RANK_BYTES>()?;
        let build = std::str::from_utf8(build).ok()?.parse().ok()?;
        (*version == VERSION).then_some(Self {
            build,
            query: *query,
            last_rank: u32::from_be_bytes(*rank),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_and_other_text_is_none() {
        let cursor = Cursor {
            build: "2026.10.1-person".parse().unwrap(),
            query: [7; 16],
            last_rank: 4_000_000_000,
        };
        let text = cursor.encode();
        assert_eq!(Cursor::decode(&text), Some(cursor));
        for other in [
            "",
            "AQ",
            "not a cursor",
            &text[1..],
            &text[..20],
            &format!("{text}="),
        ] {
            assert_eq!(Cursor::decode(other), None, "{other}");
        }
    }
}
