//! The text of an API key: `rk_live_<12 id>_<32 base62>_<6 checksum>`. The id carries the shard; the checksum
//! rejects junk without a look-up; only the HMAC of the secret part is stored.

use events_schema::api::keyed_hash::keyed_hash;
use events_schema::ids::ApiKeyId;
use sha2::{Digest, Sha256};

const PREFIX: &str = "rk_live_";
const SECRET_CHARS: usize = 32;
const CHECKSUM_CHARS: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A key that has the right form; whether it is valid is not said.
pub(super) struct ApiKey<'a> {
    pub(super) id: ApiKeyId,
    secret: &'a str,
}

impl<'a> ApiKey<'a> {
    /// Reads a key; `None` for anything that no key can look like.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (body, check) = text.rsplit_once('_')?;
        let (id, secret) = body.strip_prefix(PREFIX)?.split_once('_')?;
        let well_formed = secret.len() == SECRET_CHARS
            && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && check == checksum(body);
        if well_formed {
            Some(Self {
                id: id.parse().ok()?,
                secret,
            })
        } else {
            None
        }
    }

    /// HMAC of the secret part.
    pub(super) fn secret_hmac(&self, pepper: &str) -> [u8; 32] {
        keyed_hash(pepper, [self.secret.as_bytes()])
    }
}

/// The text of a key, to be shown once, and the HMAC of its secret part. The secret follows from `seed`, or is random.
pub(super) fn issue(id: &ApiKeyId, seed: Option<&str>, pepper: &str) -> (String, [u8; 32]) {
    let secret: String = match seed {
        // 64 random bits for each character: the bias of the remainder is below 2^-58.
        None => (0..SECRET_CHARS)
            .map(|_| base62(rand::random::<u64>()))
            .collect(),
        Some(seed) => (0..SECRET_CHARS)
            .map(|place| {
                let drawn = keyed_hash(
                    pepper,
                    [format!("secret\0{id}\0{place}\0{seed}").as_bytes()],
                );
                base62(
                    drawn
                        .first_chunk()
                        .map_or(0, |bytes| u64::from_be_bytes(*bytes)),
                )
            })
            .collect(),
    };
    let body = format!("{PREFIX}{id}_{secret}");
    let text = format!("{body}_{}", checksum(&body));
    (text, keyed_hash(pepper, [secret.as_bytes()]))
}

fn checksum(body: &str) -> String {
    let digest = Sha256::digest(body.as_bytes());
    let mut number = digest
        .iter()
        .take(8)
        .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let mut text = String::with_capacity(CHECKSUM_CHARS);
    for _ in 0..CHECKSUM_CHARS {
        text.push(base62(number));
        number /= 62;
    }
    text
}

fn base62(number: u64) -> char {
    let place = usize::try_from(number % 62).unwrap_or(0);
    BASE62.get(place).map_or('0', |byte| char::from(*byte))
}

#[cfg(test)]
mod tests {
    use events_schema::ids::AccountId;

    use super::*;

    fn id() -> ApiKeyId {
        ApiKeyId::new(AccountId::new([9; 16]), [1; 10])
    }

    #[test]
    fn an_issued_key_is_read_back_and_proves_itself() {
        let (text, hmac) = issue(&id(), None, "pepper");
        let key = ApiKey::parse(&text).expect("own keys are well formed");
        assert_eq!(key.id, id());
        assert_eq!(key.secret_hmac("pepper"), hmac);
        assert_ne!(key.secret_hmac("other"), hmac);
        assert_ne!(issue(&id(), None, "pepper").0, text);
    }

    #[test]
    fn a_secret_that_follows_from_a_name_is_the_same_again_and_needs_the_pepper() {
        let text = |seed, pepper| issue(&id(), Some(seed), pepper).0;
        assert_eq!(text("a", "pepper"), text("a", "pepper"));
        assert_ne!(text("a", "pepper"), text("b", "pepper"));
        assert_ne!(text("a", "pepper"), text("a", "other"));
        assert!(ApiKey::parse(&text("a", "pepper")).is_some());
    }

    /// The form of a key never changes: customers have them.
    #[test]
    fn a_key_that_was_issued_once_is_read_for_ever() {
        let (text, _) = issue(&id(), Some("name"), "pepper");
        assert_eq!(
            text,
            "rk_live_581111111111_LFlN1KDJ2oh82vMqonFzlEDw7YZYilXo_kXHlc4"
        );
    }

    #[test]
    fn a_right_checksum_makes_no_key_of_something_else() {
        let with = |secret: &str| {
            let body = format!("{PREFIX}{}_{secret}", id());
            format!("{body}_{}", checksum(&body))
        };
        assert!(ApiKey::parse(&with(&"a".repeat(32))).is_some());
        for secret in ["a".repeat(31), "a".repeat(33), "-".repeat(32)] {
            assert!(ApiKey::parse(&with(&secret)).is_none(), "{secret}");
        }
    }

    #[test]
    fn junk_is_rejected_by_its_checksum() {
        let (text, _) = issue(&id(), None, "pepper");
        let changed = text.replacen("live_", "test_", 1);
        let last = text.chars().last().unwrap();
        let other = format!(
            "{}{}",
            &text[..text.len() - 1],
            if last == 'a' { 'b' } else { 'a' }
        );
        for junk in [
            "",
            "rk_live_",
            "x_y_z",
            &changed,
            &other,
            &text[..text.len() - 1],
            "é_é_é_é",
        ] {
            assert!(ApiKey::parse(junk).is_none(), "{junk}");
        }
    }
}
