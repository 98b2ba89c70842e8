//! What a person request says, and how a record compares with it.

use std::borrow::Cow;

use normalize::birth_date::BirthDate;
use normalize::compare::{self, Address, AddressFinding, Agreement, Organisation, PersonName};
use normalize::email::Email;
use normalize::email_hash::EmailHash;
use normalize::keys::{NameKeys, postal_code_key};
use normalize::name::{Generation, shares};
use normalize::social::{Network, SocialUrl};
use normalize::{company, linkedin_company, text};
use uuid::Uuid;

use super::agree::{city, country, organisation, state};
use super::company::linkedin_number;
use super::compared::Compared;
use super::finding::{Finding, How};
use super::memo::{ClueMemo, Memo};

/// One input of a person request, normalized, in the order of `docs/API.md`, "POST /person/enrich".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PersonClue {
    /// `email`
    Email(Email),
    /// `email_hash`
    EmailHash(EmailHash),
    /// `phone`, in E.164
    Phone(String),
    /// `social_url`
    SocialUrl(SocialUrl),
    /// `linkedin_id`
    LinkedinId(String),
    /// `service_id`
    ServiceId(Uuid),
    /// `full_name`
    FullName(String),
    /// `first_name`
    FirstName(String),
    /// `last_name`
    LastName(String),
    /// `company`: a name, website or domain
    Company(Given),
    /// `school`: a name, website or domain
    School(Given),
    /// `job_title`
    JobTitle(String),
    /// `address`
    Address(Street),
    /// `city`
    City(String),
    /// `state`; the code where one is known
    State {
        /// Name in lower case.
        name: String,
        /// ISO 3166-2.
        code: Option<String>,
    },
    /// `country`, its ISO 3166-1 alpha-2 code
    Country(String),
    /// `postal_code`
    PostalCode(String),
    /// `birth_date`
    BirthDate(BirthDate),
}

/// An organisation as it was given, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Normalized; of a page the words that it is called by.
    pub text: String,
    /// For comparison.
    pub read: Organisation,
    /// Its LinkedIn page, if it was given by that.
    pub page: Option<String>,
}

impl Given {
    /// An employer.
    #[must_use]
    pub fn company(text: String) -> Self {
        let read = Organisation::company(&text);
        Self {
            text,
            read,
            page: None,
        }
    }

    /// An employer given by its LinkedIn page, in its one spelling.
    #[must_use]
    pub fn page(page: String) -> Self {
        let words = linkedin_company::slug(&page).unwrap_or_default();
        Self {
            page: Some(page.clone()),
            ..Self::company(words.replace('-', " "))
        }
    }

    /// A school.
    #[must_use]
    pub fn school(text: String) -> Self {
        let read = Organisation::school(&text);
        Self {
            text,
            read,
            page: None,
        }
    }
}

/// A street line as it was given, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Street {
    /// Normalized.
    pub text: String,
    /// For comparison.
    pub read: Address,
}

impl Street {
    /// Reads a line; `None` where it has no street: `16`.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        let read = Address::read(&text);
        (!read.street().is_empty()).then_some(Self { text, read })
    }

    /// How the nearest of a record's addresses compares with it, with that address.
    #[must_use]
    pub fn beside_all<'a>(&self, doc: &'a Compared) -> Option<(AddressFinding, &'a str)> {
        let lines = doc.texts("locations.street_address");
        let found = lines.map(|line| (self.read.beside(&Address::read(line)), line));
        found.min_by_key(|(found, _)| *found)
    }
}

/// The name that a request gives in one piece or in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameParts {
    /// For comparison: as it was given, then with two of its words as one; none when there is no letter in it.
    pub readings: Vec<Reading>,
    /// Index of the clue that stands for the name.
    pub clue: usize,
    /// Whether that clue is the whole name; if not, a given and a family name were given separately.
    pub in_one: bool,
    /// Which member of a family with this name it is: `jr.`
    pub generation: Option<Generation>,
}

/// One way to read a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// For comparison.
    pub name: PersonName,
    /// The forms that candidates are looked up by; none where nothing in the name could lead to any.
    pub keys: Option<NameKeys>,
    /// Whether a space was taken for a slip: `okaf or`, `johnsmith`.
    pub is_joined: bool,
    /// Whether the name could be read in many ways: it has more than two words, its space is elsewhere, or a letter between two names
    /// was joined to one of them, which may as well be an initial.
    pub is_loose: bool,
}

/// Names of more words are not read with two of them as one.
const MAX_JOINED_WORDS: usize = 5;

/// Shorter names are not taken apart.
const MIN_SPACELESS: usize = 6;
/// The shortest part of one.
const MIN_PART: usize = 2;

/// A given and a family name that the tables know, where the space between them was left out, or stands a letter off: `johnsmith`,
/// `joh nsmith`. None where both words are names as they stand.
fn respaced(words: &[&str]) -> Option<String> {
    let folded: Vec<String> = words.iter().map(|word| text::fold(word)).collect();
    let share = |given: &str, family: &str| Some(shares::given(given)? * shares::family(family)?);
    let (letters, places) = match folded.as_slice() {
        [only] if only.len() >= MIN_SPACELESS => (only.clone(), MIN_PART..=only.len() - MIN_PART),
        [given, family] if share(given, family).is_none() => {
            let at = given.len();
            (format!("{given}{family}"), at.saturating_sub(1)..=at + 1)
        }
        _ => return None,
    };
    let parts = places.filter_map(|at| {
        let (given, family) = letters.split_at_checked(at)?;
        let is_long = given.len() >= MIN_PART && family.len() >= MIN_PART;
        Some((share(given, family).filter(|_| is_long)?, given, family))
    });
    parts
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, given, family)| format!("{given} {family}"))
}

impl NameParts {
    /// Reads a name in one piece.
    #[must_use]
    pub fn new(full: &str, clue: usize, in_one: bool) -> Self {
        let name = PersonName::read(full);
        Self {
            readings: readings(full, name.zip(Some(NameKeys::of(full)))),
            clue,
            in_one,
            generation: None,
        }
    }

    /// Another name under which the person may be known. Nothing says that it must be read this way, so no part of it may contradict.
    #[must_use]
    pub fn also_called(mut self, others: &[String]) -> Self {
        self.readings.extend(others.iter().filter_map(|other| {
            Some(Reading {
                name: PersonName::read(other)?,
                keys: NameKeys::of(other),
                is_joined: true,
                is_loose: true,
            })
        }));
        self
    }

    /// Reads a given and a family name.
    #[must_use]
    pub fn of_parts(first: &str, last: &str, clue: usize) -> Self {
        let name = PersonName::of_parts(first, last);
        let keys = NameKeys::of_parts(first, last);
        Self {
            readings: readings(&format!("{first} {last}"), name.zip(Some(keys))),
            clue,
            in_one: false,
            generation: None,
        }
    }
}

/// The name as it was read, then with two of its words as one.
fn readings(full: &str, own: Option<(PersonName, Option<NameKeys>)>) -> Vec<Reading> {
    let words: Vec<&str> = full.split_whitespace().collect();
    let is_long = words.len() > 2;
    let own = own.map(|(name, keys)| Reading {
        name,
        keys,
        is_joined: false,
        is_loose: is_long,
    });
    let joined = match words.len() {
        2..=MAX_JOINED_WORDS => 1..words.len(),
        _ => 0..0,
    };
    let joined = joined.filter_map(|at| {
        let (before, behind) = words.split_at_checked(at)?;
        let joined = format!("{}{}", before.join(" "), behind.join(" "));
        let is_letter = |word: Option<&&str>| word.is_some_and(|word| word.len() == 1);
        // `o donnell` and `d angelo` are one word.
        let is_elided = matches!(before.last(), Some(&("o" | "d")));
        let takes_initial = before.len() > 1 && is_letter(before.last()) && !is_elided
            || behind.len() > 1 && is_letter(behind.first());
        // Of two words one would be left, with an initial that is lost.
        let is_only_word = words.len() == 2 && words.iter().any(|word| word.len() == 1);
        (!is_only_word).then_some((joined, takes_initial))
    });
    let respaced = respaced(&words).into_iter().map(|text| (text, true));
    let reading = |(text, is_loose): (String, bool)| {
        let name = PersonName::read(&text)?;
        // `karl-ludwig riel` is no `karl` of any family.
        if name.is_given_alone() {
            return None;
        }
        Some(Reading {
            name,
            keys: NameKeys::of(&text),
            is_joined: true,
            is_loose: is_loose || text.split_whitespace().count() > 2,
        })
    };
    let others = joined.chain(respaced).filter_map(reading);
    own.into_iter().chain(others).collect()
}

impl PersonClue {
    /// The parameter's name.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Email(_) => "email",
            Self::EmailHash(_) => "email_hash",
            Self::Phone(_) => "phone",
            Self::SocialUrl(_) => "social_url",
            Self::LinkedinId(_) => "linkedin_id",
            Self::ServiceId(_) => "service_id",
            Self::FullName(_) => "full_name",
            Self::FirstName(_) => "first_name",
            Self::LastName(_) => "last_name",
            Self::Company(_) => "company",
            Self::School(_) => "school",
            Self::JobTitle(_) => "job_title",
            Self::Address(_) => "address",
            Self::City(_) => "city",
            Self::State { .. } => "state",
            Self::Country(_) => "country",
            Self::PostalCode(_) => "postal_code",
            Self::BirthDate(_) => "birth_date",
        }
    }

    /// Whether a hit on it is a match by itself.
    #[must_use]
    pub const fn is_identifier(&self) -> bool {
        matches!(
            self,
            Self::Email(_)
                | Self::EmailHash(_)
                | Self::Phone(_)
                | Self::SocialUrl(_)
                | Self::LinkedinId(_)
                | Self::ServiceId(_)
        )
    }

    /// Whether it makes a name into a match.
    #[must_use]
    pub const fn is_context(&self) -> bool {
        !self.is_identifier()
            && !matches!(
                self,
                Self::FullName(_) | Self::FirstName(_) | Self::LastName(_)
            )
    }

    /// Whether it says where somebody lives, all of which hangs together.
    #[must_use]
    pub const fn is_place(&self) -> bool {
        matches!(
            self,
            Self::City(_) | Self::State { .. } | Self::Country(_) | Self::PostalCode(_)
        )
    }

    /// Whether it is the name or a part of it.
    #[must_use]
    pub const fn is_name(&self) -> bool {
        matches!(
            self,
            Self::FullName(_) | Self::FirstName(_) | Self::LastName(_)
        )
    }

    /// How the record compares with the input; for an identifier only whether the record has another one of its kind.
    #[must_use]
    pub fn compare<'a>(&self, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
        match self {
            Self::Email(_) | Self::EmailHash(_) => {
                Finding::unless_known(doc.has("emails") || doc.has("work_email"))
            }
            Self::Phone(_) => Finding::unless_known(doc.has("phones") || doc.has("mobile_phone")),
            Self::SocialUrl(social) => Finding::unless_known(has_account(doc, social.network)),
            Self::LinkedinId(_) => Finding::unless_known(doc.has("linkedin_id")),
            Self::ServiceId(_) => Finding::bare(How::Contradicts),
            Self::FullName(_) | Self::FirstName(_) | Self::LastName(_) => {
                self.part_of_name(doc, memo.all())
            }
            Self::Company(company) => match &company.page {
                Some(page) => employer_of_page(page, &company.read, doc, memo),
                None => employer(&company.read, doc, memo),
            },
            Self::School(school) => alma_mater(school, doc, memo),
            Self::JobTitle(title) => job_title(title, doc, memo),
            Self::Address(street) => match street.beside_all(doc) {
                Some((found, line)) => Finding::of(How::of_address(found), line),
                None => Finding::UNKNOWN,
            },
            Self::City(name) => city(doc, name, memo),
            Self::State { name, code } => state(doc, name, code.as_deref()),
            Self::Country(code) => country(doc, code),
            Self::PostalCode(code) => {
                Finding::nearest(doc.texts("locations.postal_code"), |value| {
                    postal_code(code, value)
                })
            }
            Self::BirthDate(date) => birth_date(*date, doc),
        }
    }

    /// A part of a name alone: with the record's other part beside it, so that word order and initials are forgiven.
    pub(super) fn part_of_name<'a>(&self, doc: &'a Compared, memo: &Memo) -> Finding<'a> {
        let known = |field| doc.texts(field).next();
        let read = match self {
            Self::FirstName(first) => match known("last_name") {
                Some(last) => PersonName::of_parts(first, last),
                None => PersonName::read(first),
            },
            Self::LastName(last) => match known("first_name") {
                Some(first) => PersonName::of_parts(first, last),
                None => PersonName::read(last),
            },
            Self::FullName(name) => PersonName::read(name),
            _ => None,
        };
        read.map_or(Finding::UNKNOWN, |name| compare_name(&name, doc, memo))
    }

    /// The input as it is compared: what `explain` shows.
    #[must_use]
    pub fn normalized(&self) -> String {
        match self {
            Self::Email(email) => email.address.clone(),
            Self::EmailHash(hash) => hash.hex.clone(),
            Self::SocialUrl(social) => social.url.clone(),
            Self::ServiceId(id) => id.to_string(),
            Self::Company(given) | Self::School(given) => {
                given.page.as_ref().unwrap_or(&given.text).clone()
            }
            Self::Address(street) => street.text.clone(),
            Self::State { name, code } => code.as_ref().unwrap_or(name).clone(),
            Self::BirthDate(date) => date.to_string(),
            Self::Phone(text)
            | Self::LinkedinId(text)
            | Self::FullName(text)
            | Self::FirstName(text)
            | Self::LastName(text)
            | Self::JobTitle(text)
            | Self::City(text)
            | Self::Country(text)
            | Self::PostalCode(text) => text.clone(),
        }
    }
}

fn has_account(doc: &Compared, network: Network) -> bool {
    let mut networks = doc.texts("socials.network");
    (network == Network::Linkedin && doc.has("linkedin_url"))
        || networks.any(|known| known == network.as_str())
}

/// More other spellings of a name than this are not compared.
const MAX_ALIASES: usize = 8;

/// The names under which a record is known: its own and those that are matched but not shown. A form with initials
/// only (`j.m. nemes`) says less than the full name and would agree with strangers, so it is left out.
pub(super) fn names<'a>(doc: &'a Compared, memo: &Memo) -> impl Iterator<Item = &'a str> {
    let mut key = String::new();
    let is_name = move |alias: &&str| {
        key.clear();
        key.push_str(alias);
        for family in doc.texts("last_name") {
            key.push('\n');
            key.push_str(family);
        }
        memo.is_name(&key, || {
            let family: Vec<String> = doc.texts("last_name").flat_map(words_of).collect();
            is_written_out(alias, &family)
        })
    };
    let aliases = doc.texts("_name_aliases").filter(is_name);
    doc.texts("full_name").chain(aliases.take(MAX_ALIASES))
}

/// Two words at least, one of them not of the family name: `rahman, 5th` and `dias (laura)` would agree with every relative.
fn is_written_out(name: &str, family: &[String]) -> bool {
    let outside = name.split('(').next().unwrap_or_default();
    if !name.is_ascii() && !name.contains(' ') {
        // Scripts without spaces write a whole name in one word.
        return true;
    }
    let is_initial = |word: &&str| word.contains('.') || word.chars().count() < 2;
    let told: Vec<String> = outside
        .split_whitespace()
        .filter(|word| !is_initial(word))
        .flat_map(words_of)
        .filter(|word| word.chars().all(char::is_alphabetic))
        .collect();
    told.len() > 1 && (family.is_empty() || told.iter().any(|word| !family.contains(word)))
}

fn words_of(text: &str) -> Vec<String> {
    let folded = normalize::text::fold(text);
    let words = folded.split(' ').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// How the nearest of the record's names compares with a name. An alias is matched, not shown.
#[must_use]
pub fn compare_name<'a>(name: &PersonName, doc: &'a Compared, memo: &Memo) -> Finding<'a> {
    let is_own = |known: &str| doc.texts("full_name").any(|own| own == known);
    let [first, last] = ["first_name", "last_name"].map(|part| doc.texts(part).next());
    let found = Finding::nearest(names(doc, memo), |known| {
        let read = if is_own(known) {
            PersonName::stored(known, first, last)
        } else {
            PersonName::read(known)
        };
        read.map_or(How::Unknown, |known| How::of_name(name.difference(&known)))
    });
    if found.record.as_deref().is_some_and(is_own) {
        found
    } else {
        Finding::bare(found.how)
    }
}

/// An employer, past or present.
fn employer<'a>(company: &Organisation, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
    let hosts = doc
        .texts("company_domain")
        .chain(doc.texts("experience.organization.website"));
    let names = doc
        .texts("company_name")
        .chain(doc.texts("experience.organization.name.cleaned"))
        .chain(doc.texts("experience.organization.name.raw"));
    let found = organisation(company, hosts, names, Organisation::company, memo);
    match found.how {
        How::Kind => Finding {
            how: How::Short,
            ..found
        },
        _ => found,
    }
}

/// An employer by its LinkedIn page: by the record's pages, else by the words of the page. A page is not made of the name, so that
/// these can only agree.
fn employer_of_page<'a>(
    page: &str,
    words: &Organisation,
    doc: &'a Compared,
    memo: ClueMemo<'_>,
) -> Finding<'a> {
    let number = linkedin_number(page);
    let is_comparable = |known: &&str| linkedin_number(known).is_some() == number.is_some();
    let pages = doc
        .texts("company_linkedin_url")
        .chain(doc.texts("experience.organization.linkedin_url"))
        .filter(is_comparable);
    let numbers = doc
        .texts("company_linkedin_id")
        .chain(doc.texts("experience.organization.linkedin_id"));
    let by_page = Finding::nearest(pages, |known| {
        How::of_equal(linkedin_company::are_one(page, known))
    });
    let by_number = || match number {
        Some(number) => Finding::nearest(numbers, |known| How::of_equal(known == number)),
        None => Finding::UNKNOWN,
    };
    by_page.or_agreeing(by_number).or_agreeing(|| {
        let found = employer(words, doc, memo);
        match found.how {
            How::Contradicts => Finding::UNKNOWN,
            how => Finding {
                how: how.max(How::Near),
                ..found
            },
        }
    })
}

fn alma_mater<'a>(school: &Given, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
    let hosts = doc.texts("education.organization.website");
    let names = doc.texts("education.organization.name.cleaned");
    let found = organisation(&school.read, hosts, names, Organisation::school, memo);
    let record = found.record.as_deref();
    match found.how {
        How::Unsure if record.is_some_and(|known| is_leading(&school.text, known)) => Finding {
            how: How::Short,
            ..found
        },
        _ => found,
    }
}

/// Whether one name is the leading words of the other, and says which school it is: `harvard` of `harvard university`.
fn is_leading(a: &str, b: &str) -> bool {
    let (a, b) = (text::fold(a), text::fold(b));
    let (short, long) = if a.len() <= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    let is_own = |word: &str| word.len() >= MIN_OWN_WORD && !company::is_common_word(word);
    long.strip_prefix(short.as_str())
        .is_some_and(|rest| rest.starts_with(' '))
        && short.split(' ').any(is_own)
}

/// Shorter words do not say which school it is.
const MIN_OWN_WORD: usize = 4;

/// A title of any job. Of two words at least, a part is enough: `vp sales` is in `vp of sales, emea`.
fn job_title<'a>(title: &str, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
    let titles = doc
        .texts("job_title")
        .chain(doc.texts("experience.title.cleaned"));
    let how = |known: &str| match compare::titles(title, known) {
        Agreement::Partial if words(title).min(words(known)) > 1 => How::Part,
        other => How::of_near(other),
    };
    Finding::nearest(titles, |known| memo.how(known, || how(known)))
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Compared by their keys: a US code agrees with its ZIP+4, and any code with itself in another spelling. One sign off is near.
fn postal_code(a: &str, b: &str) -> How {
    let (a, b) = (postal_code_key(a), postal_code_key(b));
    if a == b {
        How::Same
    } else if a.len().min(b.len()) >= 4 && compare::is_one_sign_off(&a, &b) {
        How::Near
    } else {
        How::Contradicts
    }
}

/// How two birth dates compare, as far as both sides know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BirthDateParts {
    /// How many parts both sides know: the year, then the month, then the day.
    pub(super) known: usize,
    /// How many of them differ.
    pub(super) different: usize,
    /// Whether day and month are swapped.
    pub(super) is_swapped: bool,
    /// Whether the years differ by more than a slip of typing or of counting.
    pub(super) is_another_year: bool,
}

/// Whether two years differ by a typing slip or by at most 2. A gap of 15 to 45 years is a generation.
fn is_year_slip(a: i64, b: i64) -> bool {
    const CLOSE: u64 = 2;
    const GENERATION: std::ops::RangeInclusive<u64> = 15..=45;
    let (a_digits, b_digits) = (a.to_string(), b.to_string());
    let is_digit = || {
        !GENERATION.contains(&a.abs_diff(b))
            && a_digits.len() == b_digits.len()
            && compare::is_one_sign_off(&a_digits, &b_digits)
    };
    a.abs_diff(b) <= CLOSE || is_digit()
}

/// Compares the record's birth date with a given one, part by part.
pub(super) fn birth_date_parts(given: BirthDate, doc: &Compared) -> BirthDateParts {
    let number = |field: &str| doc.number(field);
    let parts = [
        (Some(i64::from(given.year)), number("birth_year")),
        (given.month.map(i64::from), number("birth_month")),
        (given.day.map(i64::from), number("birth_day")),
    ];
    let known: Vec<(i64, i64)> = parts
        .iter()
        .map_while(|(given, known)| given.zip(*known))
        .collect();
    let different = known.iter().filter(|(given, known)| given != known).count();
    let swapped = matches!(known.as_slice(), [(a, b), (month, known_month), (day, known_day)]
        if a == b && month == known_day && day == known_month);
    let years = known.first();
    BirthDateParts {
        known: known.len(),
        different,
        is_swapped: swapped,
        is_another_year: years.is_some_and(|(given, known)| !is_year_slip(*given, *known)),
    }
}

/// Compared as far as both sides know it. One differing part of three is near: a slip. So are a day and a month that are swapped. Father
/// and son may share a birthday, not a birth year.
fn birth_date(given: BirthDate, doc: &Compared) -> Finding<'_> {
    let parts = birth_date_parts(given, doc);
    let how = match (parts.known, parts.different) {
        (0, _) => return Finding::UNKNOWN,
        (_, 0) => How::Same,
        _ if parts.is_another_year => How::Contradicts,
        (3, 1) => How::Near,
        (3, _) if parts.is_swapped => How::Near,
        _ => How::Contradicts,
    };
    let record = doc.texts("birth_date").next();
    let year = doc.number("birth_year");
    Finding {
        how,
        record: record
            .map(Cow::Borrowed)
            .or_else(|| year.map(|year| Cow::Owned(year.to_string()))),
    }
}
