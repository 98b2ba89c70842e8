//! Hashed e-mail addresses: which algorithm by the length, the digits in lower case.

use crate::Unreadable;

/// The algorithms of `email_hash`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// 64 hexadecimal characters.
    Sha256,
    /// 40 hexadecimal characters.
    Sha1,
    /// 32 hexadecimal characters.
    Md5,
}

/// A digest of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailHash {
    /// Told by the length.
    pub algorithm: Algorithm,
    /// Lower-case hexadecimal digits.
    pub hex: String,
}

/// Reads a digest in any letter case.
///
/// # Errors
/// When it is not 64, 40 or 32 hexadecimal characters.
pub fn parse(text: &str) -> Result<EmailHash, Unreadable> {
    let hex = crate::text::trim(text).to_ascii_lowercase();
    let algorithm = match hex.len() {
        64 => Some(Algorithm::Sha256),
        40 => Some(Algorithm::Sha1),
        32 => Some(Algorithm::Md5),
        _ => None,
    };
    match algorithm {
        Some(algorithm) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Ok(EmailHash { algorithm, hex })
        }
        _ => Err(Unreadable::new(
            "expected 64, 40 or 32 hexadecimal characters",
        )),
    }
}
