//! E-mail hashes: those that are the address's own are computed, when files are written and when they are searched, so that
//! both sides must agree to the byte.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::view::HashAlgorithm;

/// All of them; the place of one is its number while files are written.
pub(crate) const ALL: [HashAlgorithm; 3] = [
    HashAlgorithm::Sha256,
    HashAlgorithm::Sha1,
    HashAlgorithm::Md5,
];

/// Writes the hash of an address into `hex`, in lower-case hexadecimal digits.
pub(crate) fn write_hex(algorithm: HashAlgorithm, address: &[u8], hex: &mut Vec<u8>) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    hex.clear();
    with_digest(algorithm, address, |digest| {
        for byte in digest {
            for half in [byte >> 4, byte & 15] {
                hex.extend(DIGITS.get(usize::from(half)));
            }
        }
    });
}

/// The fingerprint of an address: the first two bytes of its hash, big endian.
pub(crate) fn fingerprint(algorithm: HashAlgorithm, address: &[u8]) -> u16 {
    with_digest(algorithm, address, |digest| {
        let first = digest.first_chunk();
        first.map_or(0, |two| u16::from_be_bytes(*two))
    })
}

/// The fingerprint of a hash in hexadecimal digits; none for what is no hash of this kind.
pub(crate) fn fingerprint_of_hex(algorithm: HashAlgorithm, hex: &str) -> Option<u16> {
    let digits = match algorithm {
        HashAlgorithm::Sha256 => 64,
        HashAlgorithm::Sha1 => 40,
        HashAlgorithm::Md5 => 32,
    };
    let is_plain = hex.len() == digits && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
    u16::from_str_radix(hex.get(..4).filter(|_| is_plain)?, 16).ok()
}

fn with_digest<T>(algorithm: HashAlgorithm, address: &[u8], then: impl FnOnce(&[u8]) -> T) -> T {
    match algorithm {
        HashAlgorithm::Sha256 => then(&Sha256::digest(address)),
        HashAlgorithm::Sha1 => then(&Sha1::digest(address)),
        HashAlgorithm::Md5 => then(&Md5::digest(address)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_everybody_computes() {
        let known = [
            (
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                0xba78,
            ),
            ("a9993e364706816aba3e25717850c26c9cd0d89d", 0xa999),
            ("900150983cd24fb0d6963f7d28e17f72", 0x9001),
        ];
        let mut text = Vec::new();
        for (algorithm, (hex, first)) in ALL.into_iter().zip(known) {
            write_hex(algorithm, b"abc", &mut text);
            assert_eq!(text, hex.as_bytes());
            assert_eq!(fingerprint(algorithm, b"abc"), first);
            assert_eq!(fingerprint_of_hex(algorithm, hex), Some(first));
        }
        assert_eq!(fingerprint_of_hex(HashAlgorithm::Md5, "90015098"), None);
    }
}
