//! Addresses and numbers of a person: e-mail with the hashes of both of its forms, phone.

use normalize::{email, phone};
use serde::Serialize;
use serde_json::{Map, Value};

use super::data_point::Grade;
use super::reader::Reader;

const EMAIL_TYPES: &[&str] = &["work", "personal", "other"];
const VALIDATION: &[&str] = &["valid", "accept_all", "risky", "invalid", "unknown"];
const PHONE_TYPES: &[&str] = &["mobile", "landline", "work", "voip", "toll_free", "other"];

/// An e-mail address.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Mailbox {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validated: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash_sha1: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash_md5: Option<String>,
    #[serde(flatten)]
    pub(super) grade: Grade,
    /// Hashes of the address before it was cleaned, where it differs from the canonical one.
    #[serde(skip)]
    pub(super) as_given: Option<email::EmailHashes>,
}

impl Mailbox {
    pub(super) fn read(object: Map<String, Value>, reader: &mut Reader<'_>) -> Option<Self> {
        let mut mailbox = Self::default();
        let mut address = None;
        for (key, value) in object {
            let Some(value) = mailbox.grade.take(&key, value, "emails", reader) else {
                continue;
            };
            match key.as_str() {
                "address" => address = reader.by("emails.address", value, email::clean),
                "type" => mailbox.kind = reader.one_of("emails.type", value, EMAIL_TYPES),
                "validated" => mailbox.validated = reader.boolean("emails.validated", &value),
                "validation_status" => {
                    mailbox.validation_status =
                        reader.one_of("emails.validation_status", value, VALIDATION);
                }
                "hash_sha256" => {
                    mailbox.hash_sha256 = hash("emails.hash_sha256", value, 64, reader)
                }
                "hash_sha1" => mailbox.hash_sha1 = hash("emails.hash_sha1", value, 40, reader),
                "hash_md5" => mailbox.hash_md5 = hash("emails.hash_md5", value, 32, reader),
                other => reader.tally.unknown_key(&format!("emails.{other}")),
            }
        }
        if let Some(address) = address {
            mailbox.set(address);
        }
        let is_known = mailbox.address.is_some()
            || mailbox.hash_sha256.is_some()
            || mailbox.hash_sha1.is_some()
            || mailbox.hash_md5.is_some();
        is_known.then_some(mailbox)
    }

    /// A mailbox of the flat column.
    pub(super) fn work(address: email::Email) -> Self {
        let mut mailbox = Self {
            kind: Some("work".to_owned()),
            ..Self::default()
        };
        mailbox.grade = Grade::flat();
        mailbox.set(address);
        mailbox
    }

    /// Both forms of an address are hashed (`docs/CANON.md`, "Hashes of e-mail addresses"); the canonical one is shown.
    fn set(&mut self, address: email::Email) {
        let hashes = email::hashes(&address.address);
        if address.lowercase != address.address {
            self.as_given = Some(email::hashes(&address.lowercase));
        }
        self.hash_sha256 = Some(hashes.sha256);
        self.hash_sha1 = Some(hashes.sha1);
        self.hash_md5 = Some(hashes.md5);
        self.address = Some(address.address);
    }
}

fn hash(field: &str, value: Value, length: usize, reader: &mut Reader<'_>) -> Option<String> {
    let text = reader.given(field, value)?.to_ascii_lowercase();
    if text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Some(text)
    } else {
        reader.unreadable(field)
    }
}

/// A phone number.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Phone {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    #[serde(flatten)]
    pub(super) grade: Grade,
}

impl Phone {
    pub(super) fn read(
        object: Map<String, Value>,
        region: &str,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in object {
            let Some(value) = read.grade.take(&key, value, "phones", reader) else {
                continue;
            };
            match key.as_str() {
                "number" => {
                    read.number =
                        reader.by("phones.number", value, |text| phone::clean(text, region))
                }
                "type" => read.kind = reader.one_of("phones.type", value, PHONE_TYPES),
                other => reader.tally.unknown_key(&format!("phones.{other}")),
            }
        }
        read.number.is_some().then_some(read)
    }
}
