//! One request for one person.

use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use sha2::Digest as _;

use super::dice::Dice;
use super::{identifiers, names, organisations, text, texts};
use crate::query::Query;

/// What a request gives, as often as it stands here.
const KINDS: &[&str] = &[
    "email",
    "email",
    "email_hash",
    "phone",
    "phone",
    "social",
    "social",
    "name_company",
    "name_company",
    "name_company",
    "name_company_city",
    "name_company_title",
    "name_school",
    "name_city",
    "name_past_company",
    "email_and_wrong_context",
    "none_name",
    "none_email",
];

/// The networks of `docs/CANON.md`, "social_url".
const NETWORKS: &[&str] = &[
    "linkedin.com/",
    "twitter.com/",
    "github.com/",
    "facebook.com/",
];

/// A request in one of the kinds that the record has values for.
pub(super) fn query(record: &Value, dice: &mut Dice) -> Option<Query> {
    let kind = dice.of(KINDS)?;
    let mut draft = Draft::new(record);
    match kind {
        "email" => draft.email(dice)?,
        "email_hash" => draft.email_hash(dice)?,
        "phone" => draft.phone(dice)?,
        "social" => draft.social(dice)?,
        "email_and_wrong_context" => {
            draft.email(dice)?;
            draft.put("company", "Zzyzx Quarry Holdings");
        }
        "none_email" => {
            draft.put(
                "email",
                &format!("zz{}@zz-nowhere.example", dice.below(1 << 30)),
            );
            draft.is_known = false;
        }
        "none_name" => {
            let first = text(record, "/first_name")?;
            draft.put(
                "full_name",
                &format!("{first} zvorkenbaal{}", dice.of(&["", "er", "ov"])?),
            );
            draft.put("company", text(record, "/company_name")?);
            draft.is_known = false;
        }
        "name_school" => {
            draft.name(dice)?;
            draft.school(dice)?;
        }
        "name_city" => {
            draft.name_alone(dice)?;
            draft.city(dice)?;
        }
        "name_past_company" => {
            draft.name_alone(dice)?;
            draft.past_company(dice)?;
        }
        "name_company_city" => {
            draft.name(dice)?;
            draft.company(dice)?;
            draft.city(dice)?;
        }
        "name_company_title" => {
            draft.name(dice)?;
            draft.company(dice)?;
            draft.put("job_title", text(record, "/job_title")?);
        }
        _ => {
            draft.name(dice)?;
            draft.company(dice)?;
        }
    }
    Some(draft.finish(kind))
}

struct Draft<'a> {
    record: &'a Value,
    body: Map<String, Value>,
    noise: Vec<String>,
    is_known: bool,
}

impl<'a> Draft<'a> {
    fn new(record: &'a Value) -> Self {
        Self {
            record,
            body: Map::new(),
            noise: Vec::new(),
            is_known: true,
        }
    }

    fn put(&mut self, field: &str, value: &str) {
        self.body.insert(field.to_owned(), json!(value));
    }

    fn told(&mut self, field: &str, value: &str, how: &str) {
        self.put(field, value);
        if how != "as it is" {
            self.noise.push(format!("{field}: {how}"));
        }
    }

    fn email(&mut self, dice: &mut Dice) -> Option<()> {
        let address = dice.of(&texts(self.record, "emails", "address"))?;
        let (given, how) = identifiers::email(address, dice);
        self.told("email", &given, how);
        Some(())
    }

    fn email_hash(&mut self, dice: &mut Dice) -> Option<()> {
        let address = dice.of(&texts(self.record, "emails", "address"))?;
        let mut hash = match dice.below(3) {
            0 => hex::encode(sha2::Sha256::digest(address)),
            1 => hex::encode(sha1::Sha1::digest(address)),
            _ => hex::encode(md5::Md5::digest(address)),
        };
        if dice.once_in(2) {
            hash = hash.to_uppercase();
        }
        self.put("email_hash", &hash);
        Some(())
    }

    fn phone(&mut self, dice: &mut Dice) -> Option<()> {
        let number = dice.of(&texts(self.record, "phones", "number"))?;
        // An office's number is many people's: it comes with a name.
        let phones = self.record.get("phones")?.as_array()?;
        let is_work = |phone: &Value| text(phone, "/type") == Some("work");
        if phones.iter().any(is_work) {
            self.name_alone(dice)?;
        }
        let (given, region, how) = identifiers::phone(number, dice);
        self.told("phone", &given, how);
        if let Some(region) = region {
            self.put("default_region", region);
        }
        Some(())
    }

    fn social(&mut self, dice: &mut Dice) -> Option<()> {
        let mut urls = texts(self.record, "socials", "url");
        urls.retain(|url| NETWORKS.iter().any(|host| url.starts_with(host)));
        let url = dice.of(&urls)?;
        let (given, how) = identifiers::profile(url, dice);
        self.told("social_url", &given, how);
        Some(())
    }

    fn name(&mut self, dice: &mut Dice) -> Option<()> {
        if dice.once_in(2) {
            return self.name_alone(dice);
        }
        let (full, first, last) = self.names()?;
        let spoilt = names::spoil(full, first, last, dice);
        self.told("full_name", &spoilt.full, spoilt.how);
        Some(())
    }

    /// In two fields, as it is: the context is spoilt instead.
    fn name_alone(&mut self, dice: &mut Dice) -> Option<()> {
        let (full, first, last) = self.names()?;
        if dice.once_in(2) {
            self.put("full_name", full);
        } else {
            self.put("first_name", first);
            self.put("last_name", last);
        }
        Some(())
    }

    fn names(&self) -> Option<(&'a str, &'a str, &'a str)> {
        let part = |pointer| text(self.record, pointer);
        Some((
            part("/full_name")?,
            part("/first_name")?,
            part("/last_name")?,
        ))
    }

    fn company(&mut self, dice: &mut Dice) -> Option<()> {
        let name = text(self.record, "/company_name")?;
        // A spoilt name more often comes with a company that is right.
        if !self.noise.is_empty() && !dice.once_in(4) {
            self.put("company", name);
            return Some(());
        }
        let (given, how) = organisations::company(name, text(self.record, "/company_domain"), dice);
        self.told("company", &given, how);
        Some(())
    }

    fn past_company(&mut self, dice: &mut Dice) -> Option<()> {
        let now = text(self.record, "/company_name");
        let names = texts(self.record, "experience", "company_name");
        let past: Vec<&str> = names
            .into_iter()
            .filter(|name| Some(*name) != now)
            .collect();
        self.put("company", dice.of(&past)?);
        Some(())
    }

    fn school(&mut self, dice: &mut Dice) -> Option<()> {
        let studies = self.record.get("education")?.as_array()?;
        let study = studies.get(dice.below(studies.len()))?;
        let (given, how) =
            organisations::school(text(study, "/school")?, text(study, "/school_domain"), dice);
        self.told("school", &given, how);
        Some(())
    }

    fn city(&mut self, dice: &mut Dice) -> Option<()> {
        let (given, how) = organisations::city(text(self.record, "/city")?, dice);
        self.told("city", &given, how);
        Some(())
    }

    fn finish(self, kind: &str) -> Query {
        let truth = text(self.record, "/service_id").map(str::to_owned);
        Query {
            subject: RecordKind::Person,
            kind: kind.to_owned(),
            noise: self.noise,
            body: self.body,
            truth: truth.filter(|_| self.is_known),
            names: None,
        }
    }
}
