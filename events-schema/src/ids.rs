//! Typed ids. An id that is decided by a shard's owner carries the shard, so that a call finds the owner
//! without a look-up.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How many slices the event store has (docs/ARCHITECTURE.md, "Truth, shards, batches"). Fixed for the life of a store.
pub const SHARDS: u8 = 64;

/// One of the [`SHARDS`] slices of the event store.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Shard(u8);

impl Shard {
    /// The shard of all data builds: activations have one order and names are reserved in one place.
    pub const DATA_BUILDS: Self = Self(0);

    /// The shard with this number, `None` at [`SHARDS`] and above.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < SHARDS {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Every shard in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SHARDS).map(Self)
    }

    /// The shard that a record's reports belong to: reports on one record are in order.
    #[must_use]
    pub fn of_record(service_id: Uuid) -> Self {
        Self::of_bytes(service_id.as_bytes())
    }

    /// The shard's number, 0 to 63.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The Kafka partition of this shard's events in a topic of `partitions` partitions.
    #[must_use]
    pub fn partition(self, partitions: i32) -> i32 {
        i32::from(self.0) % partitions.max(1)
    }

    /// FNV-1a over the bytes, folded to a shard. Part of the stored format: never to be changed.
    fn of_bytes(bytes: &[u8]) -> Self {
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(u8::try_from((hash >> 32) % u64::from(SHARDS)).unwrap_or(0))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is wrong with the text of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {0}")]
pub struct InvalidId(pub &'static str);

/// Byte of a UUIDv8 in which the shard stands.
const SHARD_BYTE: usize = 7;

fn sharded(mut random: [u8; 16], shard: Option<Shard>) -> Uuid {
    random[SHARD_BYTE] = 0;
    let shard = shard.unwrap_or_else(|| Shard::of_bytes(&random));
    random[SHARD_BYTE] = shard.0;
    Uuid::new_v8(random)
}

macro_rules! sharded_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// The id as a UUID.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// The shard that the id carries.
            #[must_use]
            pub fn shard(self) -> Shard {
                Shard(self.0.as_bytes()[SHARD_BYTE] % SHARDS)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Uuid::parse_str(text).map(Self).map_err(|_| InvalidId($what))
            }
        }
    };
}

sharded_id!(
    /// A customer. Its shard owns its keys and contracts too.
    AccountId,
    "account id"
);
sharded_id!(
    /// A billing contract, in its account's shard.
    ContractId,
    "contract id"
);
sharded_id!(
    /// A data-quality report, in the shard of the record it is about.
    ReportId,
    "report id"
);

impl AccountId {
    /// A new account id from 16 random bytes; the shard is a hash of them.
    #[must_use]
    pub fn new(random: [u8; 16]) -> Self {
        Self(sharded(random, None))
    }
}

impl ContractId {
    /// A new contract id from 16 random bytes, in the account's shard.
    #[must_use]
    pub fn new(account: AccountId, random: [u8; 16]) -> Self {
        Self(sharded(random, Some(account.shard())))
    }
}

impl ReportId {
    /// A new report id from 16 random bytes, in the record's shard.
    #[must_use]
    pub fn new(service_id: Uuid, random: [u8; 16]) -> Self {
        Self(sharded(random, Some(Shard::of_record(service_id))))
    }
}

/// The public part of an API key: two decimal digits of the shard and ten base62 characters.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct ApiKeyId(String);

impl ApiKeyId {
    /// Characters of an id.
    pub const LENGTH: usize = 12;

    /// A new id in the account's shard; `random` gives the ten characters.
    #[must_use]
    pub fn new(account: AccountId, random: [u8; 10]) -> Self {
        const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut id = format!("{:02}", account.shard().number());
        id.extend(
            random
                .iter()
                .filter_map(|byte| BASE62.get(usize::from(*byte) % BASE62.len()))
                .map(|character| char::from(*character)),
        );
        Self(id)
    }

    /// The shard that the id carries.
    #[must_use]
    pub fn shard(&self) -> Shard {
        Shard(
            self.0
                .get(..2)
                .and_then(|digits| digits.parse::<u8>().ok())
                .unwrap_or(0)
                % SHARDS,
        )
    }

    /// The id's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ApiKeyId {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        let shard = text.get(..2).and_then(|digits| digits.parse::<u8>().ok());
        let well_formed = text.len() == Self::LENGTH
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && shard.is_some_and(|shard| shard < SHARDS);
        if well_formed {
            Ok(Self(text))
        } else {
            Err(InvalidId("API key id"))
        }
    }
}

impl FromStr for ApiKeyId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::try_from(text.to_owned())
    }
}

impl From<ApiKeyId> for String {
    fn from(id: ApiKeyId) -> Self {
        id.0
    }
}

impl fmt::Display for ApiKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of the data build with this name: UUIDv5. Part of the stored format: never to be changed.
#[must_use]
pub fn build_id(name: &str) -> Uuid {
    const NAMESPACE: Uuid = Uuid::from_u128(0x6f0b_7c52_9a41_4d0e_8f35_2d1c_77aa_40e1);
    Uuid::new_v5(&NAMESPACE, name.as_bytes())
}

/// The name of a data build, unique over both kinds: 1 to 64 of `a-z A-Z 0-9 . _ -`, beginning with a letter or digit.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct BuildName(String);

impl BuildName {
    /// Longest name, in characters.
    pub const MAX_LENGTH: usize = 64;

    /// The build's id, see [`build_id`].
    #[must_use]
    pub fn id(&self) -> Uuid {
        build_id(&self.0)
    }

    /// The name's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for BuildName {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let well_formed = text.len() <= Self::MAX_LENGTH
            && text.bytes().all(allowed)
            && text
                .bytes()
                .next()
                .is_some_and(|first| first.is_ascii_alphanumeric());
        if well_formed {
            Ok(Self(text))
        } else {
            Err(InvalidId("data build name"))
        }
    }
}

impl FromStr for BuildName {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::try_from(text.to_owned())
    }
}

impl From<BuildName> for String {
    fn from(name: BuildName) -> Self {
        name.0
    }
}

impl fmt::Display for BuildName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_and_a_key_are_in_their_accounts_shard() {
        for seed in 0..=255_u8 {
            let account = AccountId::new([seed; 16]);
            assert_eq!(
                ContractId::new(account, [seed ^ 7; 16]).shard(),
                account.shard()
            );
            assert_eq!(ApiKeyId::new(account, [seed; 10]).shard(), account.shard());
        }
    }

    #[test]
    fn an_id_keeps_its_shard_through_text() {
        let id = AccountId::new(*b"sixteen bytes ok");
        let read: AccountId = id.to_string().parse().expect("own text is valid");
        assert_eq!(read.shard(), id.shard());
        assert_eq!(id.uuid().get_version_num(), 8);
    }

    #[test]
    fn shards_are_spread_evenly() {
        let mut seen = [0_u32; SHARDS as usize];
        for n in 0..64_000_u128 {
            seen[usize::from(
                Shard::of_record(Uuid::from_u128(n * 0x9e37_79b9_7f4a_7c15)).number(),
            )] += 1;
        }
        assert!(
            seen.iter().all(|count| (700..1_300).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn a_build_name_with_a_slash_is_refused() {
        assert!("2026.10.1-person".parse::<BuildName>().is_ok());
        for bad in ["", "a/b", ".hidden", "x y", "../x"] {
            assert!(bad.parse::<BuildName>().is_err(), "{bad}");
        }
    }
}
