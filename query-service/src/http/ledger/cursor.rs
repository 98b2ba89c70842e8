//! Where a page of the ledger ended, as an opaque text that a client sends back.
//!
//! It is a place among the events of all accounts of a shard, which nobody is to count by it: it is hidden by a keyed hash of itself and of
//! the account. What comes back is a place only for that account, and only as it was given out.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use events_schema::api::keyed_hash::keyed_hash;
use events_schema::ids::AccountId;

const SEAL_BYTES: usize = 16;
const PLACE_BYTES: usize = 8;

/// Seals places for one account.
#[derive(Clone, Copy)]
pub(super) struct Seal<'a> {
    /// The same for all instances.
    pub(super) secret: &'a str,
    pub(super) account: AccountId,
}

impl Seal<'_> {
    /// Letters, digits, `-` and `_`; the same for the same place.
    pub(super) fn encode(self, pos: i64) -> String {
        let seal = self.seal(pos);
        let mut bytes = seal.to_vec();
        bytes.extend((pos ^ self.mask(seal)).to_be_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// `None` when it was not given to this account.
    pub(super) fn decode(self, text: &str) -> Option<i64> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (seal, hidden) = bytes.split_first_chunk::<SEAL_BYTES>()?;
        let hidden = i64::from_be_bytes(hidden.try_into().ok()?);
        let pos = hidden ^ self.mask(*seal);
        (self.seal(pos) == *seal).then_some(pos)
    }

    fn seal(self, pos: i64) -> [u8; SEAL_BYTES] {
        self.hash(b"seal", &pos.to_be_bytes())
    }

    fn mask(self, seal: [u8; SEAL_BYTES]) -> i64 {
        i64::from_be_bytes(self.hash::<PLACE_BYTES>(b"mask", &seal))
    }

    /// The first bytes of a keyed hash.
    fn hash<const N: usize>(self, purpose: &[u8], of: &[u8]) -> [u8; N] {
        let account = self.account.uuid();
        let parts = [b"ledger cursor ", purpose, account.as_bytes(), of];
        let hash = keyed_hash(self.secret, parts);
        std::array::from_fn(|place| hash.get(place).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(account: u8) -> Seal<'static> {
        let account = AccountId::new([account; 16]);
        Seal {
            secret: "a secret",
            account,
        }
    }

    #[test]
    fn a_place_comes_back_to_its_account_as_it_was_given_and_tells_nothing() {
        for pos in [0, 1, 4_711, 4_712, i64::MAX] {
            let text = seal(1).encode(pos);
            assert_eq!(seal(1).decode(&text), Some(pos));
            assert_eq!(text, seal(1).encode(pos));
            assert_eq!(seal(2).decode(&text), None);
            let other = Seal {
                secret: "another",
                ..seal(1)
            };
            assert_eq!(other.decode(&text), None);
        }
        // The last bytes hold the place: of neighbours they have no more in common than by chance.
        let [one, next] = [4_711, 4_712].map(|pos| seal(1).encode(pos));
        assert_ne!(one[22..30], next[22..30]);
    }

    #[test]
    fn what_was_not_given_out_is_no_place() {
        let text = seal(1).encode(4_711);
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last sign has bits that stand for nothing, which the reader of base64 refuses.
            assert_eq!(seal(1).decode(&changed), None, "{changed}");
        }
        for text in ["", "4711", "-5", "é", &"A".repeat(33), &"A".repeat(4_000)] {
            assert_eq!(seal(1).decode(text), None);
        }
    }
}
