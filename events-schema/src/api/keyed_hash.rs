//! HMAC-SHA-256, by which parts prove and hide what they keep or pass on.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The hash of `parts`, one behind the other, under `secret` of any length. Nothing stands between them: who passes parts of various
/// lengths sees to it that no two lists give the same bytes.
#[must_use]
pub fn keyed_hash<const N: usize>(secret: &str, parts: [&[u8]; N]) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        unreachable!("HMAC takes a key of any length")
    };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, test case 2.
    #[test]
    fn it_is_hmac_sha_256_of_the_parts_together() {
        let hash = hex::encode(keyed_hash("Jefe", [b"what do ya want ", b"for nothing?"]));
        assert_eq!(
            hash,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
