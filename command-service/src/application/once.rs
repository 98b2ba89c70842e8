//! What an operator names with an `Idempotency-Key` gets ids that follow from the name: whoever repeats it after a lost answer
//! meets what was made the first time, for ever. A name counts for one operator and, but for an account itself, for one account
//! or contract.

use events_schema::ids::{AccountId, ApiKeyId, ContractId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Cause;

/// The name that an operator gave to a command, or none.
#[derive(Debug, Clone, Default)]
pub struct Once(Option<String>);

impl Once {
    /// Named; the name counts for this operator alone.
    #[must_use]
    pub fn named(key: &str, cause: &Cause) -> Self {
        Self(Some(format!("{}\0{key}", cause.actor)))
    }

    /// Whether there is a name.
    pub(super) const fn is_named(&self) -> bool {
        self.0.is_some()
    }

    /// For the id of a new account.
    pub(super) fn account_id(&self) -> Option<AccountId> {
        self.bytes("account").map(AccountId::new)
    }

    /// For the id of a new contract.
    pub(super) fn contract_id(&self, account: AccountId) -> ContractId {
        let random = self.bytes(&format!("contract\0{account}"));
        ContractId::new(account, random.unwrap_or_else(rand::random))
    }

    /// For the id of a new key and for the secret part of its text.
    pub(super) fn api_key_id(&self, account: AccountId) -> ApiKeyId {
        let random: [u8; 16] = self
            .bytes(&format!("api_key\0{account}"))
            .unwrap_or_else(rand::random);
        let [ten @ .., _, _, _, _, _, _] = random;
        ApiKeyId::new(account, ten)
    }

    /// The name itself, to derive a secret from.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// For the request of a grant.
    pub(super) fn request_id(&self, contract: ContractId) -> Option<Uuid> {
        self.bytes(&format!("grant\0{contract}")).map(Uuid::new_v8)
    }

    fn bytes(&self, act: &str) -> Option<[u8; 16]> {
        let name = self.0.as_deref()?;
        let digest = Sha256::digest(format!("{act}\0{name}"));
        digest.first_chunk().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(actor: &str, key: &str) -> Once {
        let cause = Cause {
            request_id: Uuid::nil(),
            actor: actor.to_owned(),
            traceparent: None,
        };
        Once::named(key, &cause)
    }

    #[test]
    fn a_name_gives_the_same_ids_again_and_other_names_and_operators_give_others() {
        let account = AccountId::new([1; 16]);
        let ids = |once: &Once| {
            let grant = once.request_id(ContractId::new(account, [2; 16])).unwrap();
            (
                once.account_id(),
                once.contract_id(account),
                once.api_key_id(account),
                grant,
            )
        };
        assert_eq!(ids(&once("operator:a", "k")), ids(&once("operator:a", "k")));
        for other in [once("operator:a", "l"), once("operator:b", "k")] {
            let (account_id, contract_id, api_key_id, grant) = ids(&other);
            let mine = ids(&once("operator:a", "k"));
            assert_ne!(account_id, mine.0);
            assert_ne!(contract_id, mine.1);
            assert_ne!(api_key_id, mine.2);
            assert_ne!(grant, mine.3);
        }
    }

    #[test]
    fn a_name_is_another_one_for_another_account() {
        let (one, two) = (AccountId::new([1; 16]), AccountId::new([2; 16]));
        let once = once("operator:a", "k");
        assert_ne!(once.api_key_id(one), once.api_key_id(two));
        assert_ne!(once.contract_id(one), once.contract_id(two));
        let contract = |account| ContractId::new(account, [3; 16]);
        assert_ne!(
            once.request_id(contract(one)),
            once.request_id(contract(two))
        );
    }

    #[test]
    fn a_name_is_what_secrets_follow_from_and_without_one_there_is_none() {
        let (a, b) = (once("operator:a", "k"), once("operator:b", "k"));
        assert!(a.is_named() && !Once::default().is_named());
        assert!(a.name().is_some() && a.name() != b.name());
        assert_eq!(a.name(), once("operator:a", "k").name());
        assert_eq!(Once::default().name(), None);
    }

    #[test]
    fn without_a_name_every_id_is_new() {
        let account = AccountId::new([1; 16]);
        let nameless = Once::default();
        assert_eq!(nameless.account_id(), None);
        assert_ne!(nameless.contract_id(account), nameless.contract_id(account));
        assert_ne!(nameless.api_key_id(account), nameless.api_key_id(account));
    }
}
