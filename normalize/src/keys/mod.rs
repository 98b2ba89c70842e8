//! What is indexed and looked up: 16 bytes a key, the same at ingestion and at enrich.
//!
//! E-mail hashes are their own first 16 bytes; every other key is the first 16 bytes of SHA-256 over the normalized
//! text. The index so holds no personal data in plain form, and two texts do not meet by chance.
//!
//! A key finds candidates; it proves nothing. Whether a candidate agrees is for [`crate::compare`].

mod city;
mod company;
mod person;
mod postal_code;

use sha2::{Digest as _, Sha256};

pub use city::{city_key, city_lookups};
pub(crate) use city::{english_city, is_listed_city};
pub(crate) use company::with_plain_vowels;
pub use company::{
    CompanyForm, company_context, company_head_keys, company_head_lookup, company_letters,
    company_name_key, company_name_lookups, company_other_names, company_slip_keys,
    company_slip_lookups, company_without_place, company_word_keys, domain_label, school_name_key,
    school_other_names,
};
pub(crate) use company::{MIN_SLIPPED, MOST_COMMON_END, company_words, school_words};
pub(crate) use person::sound;
pub use person::{
    NameKeys, name_context, name_context_lookups, person_name_key, person_name_keys,
    person_name_lookups,
};
pub use postal_code::postal_code_key;

/// What leads to a person. The numbers are stored: never reuse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i16)]
pub enum PersonKey {
    /// The record's own id.
    ServiceId = 1,
    /// An id that the record replaced.
    MergedId = 2,
    /// LinkedIn's number.
    LinkedinId = 3,
    /// A profile as [`crate::social::clean`] writes it.
    SocialUrl = 4,
    /// A canonical address.
    Email = 5,
    /// SHA-256 of either form of an address.
    EmailSha256 = 6,
    /// SHA-1 of either form of an address.
    EmailSha1 = 7,
    /// MD5 of either form of an address.
    EmailMd5 = 8,
    /// A number in E.164.
    Phone = 9,
    // 20 to 27 were keys of family names letter by letter, in builds of versions before.
    /// The sounds of first and last name, for contexts that have no kind of their own.
    Name = 30,
    /// A name key and an employer, past or present.
    NameCompany = 31,
    /// A name key and a school.
    NameSchool = 32,
    /// A name key and a city.
    NameCity = 33,
    /// A name key and a state's code.
    NameState = 34,
    /// The sound of a part of a name and a postal code.
    NamePostalCode = 35,
    /// A name key and a year of birth.
    NameBirthYear = 36,
    /// A name key and a job title.
    NameTitle = 37,
    /// An initial of a name and a whole birth date.
    BirthDate = 38,
    /// The family name's initial and a street line.
    Address = 39,
}

/// What leads to a company. The numbers are stored: never reuse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i16)]
pub enum CompanyKey {
    /// The record's own id.
    ServiceId = 1,
    /// An id that the record replaced.
    MergedId = 2,
    /// LinkedIn's number.
    LinkedinId = 3,
    /// A LinkedIn page or another profile.
    SocialUrl = 4,
    /// A domain as [`crate::domain::clean`] writes it, and its registrable part.
    Domain = 5,
    /// A name as [`company_name_key`] writes it.
    Name = 6,
    /// A ticker symbol.
    Ticker = 7,
    /// A name's key with a gap, as [`company_slip_keys`] writes it.
    NameGap = 8,
    /// The first letters of a name's words, as [`company_letters`] writes them.
    Letters = 9,
    /// A name's key by fewer words, as [`company_word_keys`] writes it.
    NameWord = 10,
    /// The heads of a name's first words, as [`company_head_keys`] writes them.
    NameHeads = 11,
}

/// A kind of key: its number is what the index stores beside the 16 bytes.
pub trait KeyKind: Copy {
    /// The stored number.
    fn number(self) -> i16;
    /// True where the key alone means a record; the others are of names.
    fn identifies(self) -> bool;
    /// True where the text is a hexadecimal digest, which is its own key.
    fn is_digest(self) -> bool {
        false
    }
}

impl KeyKind for PersonKey {
    fn number(self) -> i16 {
        self as i16
    }

    fn identifies(self) -> bool {
        self < Self::Name
    }

    fn is_digest(self) -> bool {
        matches!(self, Self::EmailSha256 | Self::EmailSha1 | Self::EmailMd5)
    }
}

impl KeyKind for CompanyKey {
    fn number(self) -> i16 {
        self as i16
    }

    fn identifies(self) -> bool {
        !matches!(
            self,
            Self::Name | Self::NameGap | Self::Letters | Self::NameWord | Self::NameHeads
        )
    }
}

/// The 16 bytes under which a normalized text is indexed; for the e-mail hashes `text` is the hexadecimal digest.
#[must_use]
pub fn key(kind: impl KeyKind, text: &str) -> [u8; 16] {
    if kind.is_digest()
        && let Some(bytes) = head_of_hex(text)
    {
        return bytes;
    }
    head(&Sha256::digest(text))
}

/// The first 16 bytes of a digest; a shorter one is padded with zeros.
fn head(digest: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    for (to, from) in out.iter_mut().zip(digest) {
        *to = *from;
    }
    out
}

/// The first 16 bytes of a hexadecimal text; `None` when it is shorter or no hexadecimal.
fn head_of_hex(text: &str) -> Option<[u8; 16]> {
    let mut out = [0; 16];
    hex::decode_to_slice(text.get(..32)?, &mut out).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_its_own_key_in_any_case_of_the_other_fields() {
        let hashes = crate::email::hashes("john@example.com");
        assert_eq!(
            hex::encode(key(PersonKey::EmailSha256, &hashes.sha256)),
            "855f96e983f1f8e8be944692b6f719fd"
        );
        assert_eq!(
            hex::encode(key(PersonKey::EmailMd5, &hashes.md5)),
            hashes.md5
        );
    }

    #[test]
    fn other_texts_are_keyed_by_the_head_of_their_sha256() {
        let address = "john@example.com";
        assert_eq!(
            hex::encode(key(PersonKey::Email, address)),
            "855f96e983f1f8e8be944692b6f719fd"
        );
        assert_ne!(
            key(CompanyKey::Domain, "a.example"),
            key(CompanyKey::Domain, "b.example")
        );
    }

    #[test]
    fn a_company_has_one_key_whatever_its_legal_form_and_punctuation() {
        for name in [
            "The Coca-Cola Company",
            "Coca Cola Co.",
            "coca-cola",
            "COCA-COLA, Inc.",
            "Coca-Cola Aktiengesellschaft",
        ] {
            assert_eq!(company_name_key(name), "cocacola", "{name}");
        }
        assert_eq!(
            company_name_key("https://shop.example.co.uk/about"),
            "example.co.uk"
        );
        let lookups: Vec<String> = company_name_lookups("Booking.com").collect();
        assert_eq!(lookups, ["booking.com", "booking"]);
    }

    #[test]
    fn a_name_is_found_by_its_other_spellings() {
        let stored: Vec<String> = person_name_keys("Robert José García-López").collect();
        for asked in [
            "robert jose garcia lopez",
            "García-López, Robert",
            "bob garcia",
            "Dr. Robert Lopez",
            "garcia lopez robert",
        ] {
            assert!(
                person_name_lookups(asked).any(|key| stored.contains(&key)),
                "{asked}"
            );
        }
        assert!(!person_name_lookups("maya okafor").any(|key| stored.contains(&key)));
    }

    #[test]
    fn a_name_of_one_word_has_a_key_and_a_long_one_has_no_endless_list() {
        assert!(person_name_keys("Madonna").eq(["madonna"]));
        assert_eq!(
            name_context("Madonna", PersonKey::NameCompany, "x").len(),
            1
        );
        let many = "john william robert elizabeth katherine margaret alexander francisco";
        assert!(person_name_lookups(many).count() <= 200);
    }

    #[test]
    fn a_name_with_an_employer_is_found_by_initials_nicknames_and_slips() {
        let employer = company_context("Northwind Tools, Inc.");
        let stored = name_context("maya ifeoma okafor", PersonKey::NameCompany, &employer);
        let asked_employer = company_context("northwind tools");
        for asked in [
            "M. Okafor",
            "Okafor, Maya",
            "Maya Okafro",
            "ifeoma okafor",
            "OKAFOR MAYA",
        ] {
            let keys = name_context_lookups(asked, PersonKey::NameCompany, &asked_employer);
            assert!(keys.iter().any(|key| stored.contains(key)), "{asked}");
        }
        let elsewhere = name_context_lookups(
            "maya okafor",
            PersonKey::NameCompany,
            &company_context("initech"),
        );
        assert!(!elsewhere.iter().any(|key| stored.contains(key)));
    }

    #[test]
    fn each_of_two_family_names_leads_to_a_record_in_every_context() {
        for (stored, asked) in [
            ("Alejandra Casanova Barragán", "Alejandra Casanova"),
            ("Alejandra Casanova Barragán", "Alejandra Barragán"),
            ("María de la Vega", "María Vega"),
        ] {
            for kind in [
                PersonKey::NameCompany,
                PersonKey::NameCity,
                PersonKey::NamePostalCode,
                PersonKey::NameBirthYear,
                PersonKey::Address,
            ] {
                let keys = name_context(stored, kind, "x");
                let mut asked_keys = name_context_lookups(asked, kind, "x").into_iter();
                assert!(
                    asked_keys.any(|key| keys.contains(&key)),
                    "{asked} {kind:?}"
                );
            }
            let keys: Vec<String> = person_name_keys(stored).collect();
            assert!(
                person_name_lookups(asked).any(|key| keys.contains(&key)),
                "{asked}"
            );
        }
        // A middle name that is a given one makes no key of its own.
        assert_eq!(
            name_context("Maria Linda Okafor", PersonKey::Address, "x").len(),
            1
        );
    }
}
