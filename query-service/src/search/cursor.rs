//! Where a page ended, as an opaque text that a client sends back: the build, the query, the last record.
//!
//! A cursor gives no access to anything: whoever makes one up reads what the query would have found anyway.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use events_schema::ids::BuildName;
use sha2::{Digest, Sha256};

/// Version of the layout and of the fingerprint: version, fingerprint, rank (big endian), check, name of the build.
const VERSION: u8 = 3;
const FINGERPRINT_BYTES: usize = 16;
const RANK_BYTES: usize = 4;
/// First bytes of the SHA-256 of the others: a damaged cursor must not look like another place.
const CHECK_BYTES: usize = 4;

/// What tells queries apart: the first bytes of [`dialect::Digests::query`].
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

impl Cursor {
    /// As text: letters, digits, `-` and `_`.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.query);
        bytes.extend(self.last_rank.to_be_bytes());
        bytes.extend(self.check());
        bytes.extend(self.build.as_str().as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// From text; `None` when it is no cursor.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (version, rest) = bytes.split_first()?;
        let (query, rest) = rest.split_first_chunk::<FINGERPRINT_BYTES>()?;
        let (rank, rest) = rest.split_first_chunk::<RANK_BYTES>()?;
        let (check, build) = rest.split_first_chunk::<CHECK_BYTES>()?;
        let build = std::str::from_utf8(build).ok()?.parse().ok()?;
        let cursor = Self {
            build,
            query: *query,
            last_rank: u32::from_be_bytes(*rank),
        };
        (*version == VERSION && cursor.check() == *check).then_some(cursor)
    }

    fn check(&self) -> [u8; CHECK_BYTES] {
        let digest = Sha256::new()
            .chain_update(self.query)
            .chain_update(self.last_rank.to_be_bytes())
            .chain_update(self.build.as_str())
            .finalize();
        digest.first_chunk().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
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
        let bytes = URL_SAFE_NO_PAD.decode(&text).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let damaged = URL_SAFE_NO_PAD.encode(damaged);
            assert_eq!(Cursor::decode(&damaged), None, "bit {bit}");
        }
    }
}
