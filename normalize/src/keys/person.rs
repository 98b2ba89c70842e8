//! Keys of persons' names, alone and together with a context.
//!
//! A record is stored under few keys and asked for by many: ingestion takes [`NameKeys::keys`] and
//! [`NameKeys::context`], enrich takes [`NameKeys::lookups`] and [`NameKeys::context_lookups`]. What a lookup
//! forgives: word order, middle names, initials, accents, apostrophes, particles, compound family names, nicknames.

use super::{PersonKey, key};
use crate::name::{self, FullName, nicknames};
use crate::text;

/// More words than this are no name; the rest is not looked at.
const MAX_WORDS: usize = 8;
/// A lookup asks for no more keys than this: the likeliest readings come first.
const MAX_KEYS: usize = 200;

/// First and last name folded: `jose garcia`. Empty when the name cannot be read.
#[must_use]
pub fn person_name_key(full_name: &str) -> String {
    NameKeys::of(full_name).map_or_else(String::new, |name| name.key())
}

/// Under what a record's bare name is stored.
pub fn person_name_keys(full_name: &str) -> impl Iterator<Item = String> {
    let name = NameKeys::of(full_name);
    name.map_or_else(Vec::new, |name| name.keys()).into_iter()
}

/// By what a bare name is asked for: also turned round, with another given name, and with the first name's other forms.
pub fn person_name_lookups(full_name: &str) -> impl Iterator<Item = String> {
    let name = NameKeys::of(full_name);
    name.map_or_else(Vec::new, |name| name.lookups())
        .into_iter()
}

/// The keys under which a record is stored for a name together with a context, e.g. an employer's name key.
pub fn name_context(full_name: &str, kind: PersonKey, value: &str) -> Vec<[u8; 16]> {
    let name = NameKeys::of(full_name);
    name.map_or_else(Vec::new, |name| name.context(kind, value))
}

/// The keys by which a name together with a context is asked for.
pub fn name_context_lookups(full_name: &str, kind: PersonKey, value: &str) -> Vec<[u8; 16]> {
    let name = NameKeys::of(full_name);
    name.map_or_else(Vec::new, |name| name.context_lookups(kind, value))
}

/// Contexts that carry a name with a slip: an organisation has few people of one given name, a state thousands.
const fn is_strong(kind: PersonKey) -> bool {
    matches!(kind, PersonKey::NameCompany | PersonKey::NameSchool)
}

fn push(keys: &mut Vec<String>, key: String) {
    if keys.len() < MAX_KEYS && !keys.contains(&key) {
        keys.push(key);
    }
}

/// A name read once, for all of its keys: reading is what takes the time, and a record has many contexts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameKeys {
    plain: Parts,
    /// With `ü` as `ue`, in Latin letters as its bearer writes it, where that is another spelling.
    other_spelling: Option<Box<Parts>>,
}

impl NameKeys {
    /// The folded parts of a name; `None` when it cannot be read.
    #[must_use]
    pub fn of(full_name: &str) -> Option<Self> {
        Self::of_name(&name::full(full_name).ok()?.in_latin(None, None))
    }

    /// A given and a family name, each cleaned; see [`name::of_parts`].
    #[must_use]
    pub fn of_parts(first: &str, last: &str) -> Option<Self> {
        let name = name::of_parts(first, None, last).ok()?;
        Self::of_name(&name.in_latin(Some(first), Some(last)))
    }

    /// A name beside its parts, as a record holds them; see [`name::stored`].
    #[must_use]
    pub fn stored(full_name: &str, first: Option<&str>, last: Option<&str>) -> Option<Self> {
        let name = name::stored(full_name, first, last).ok()?;
        Self::of_name(&name.in_latin(first, last))
    }

    fn of_name(name: &FullName) -> Option<Self> {
        let other = name.in_other_spelling();
        Some(Self {
            plain: Parts::of(name)?,
            other_spelling: other.and_then(|name| Parts::of(&name)).map(Box::new),
        })
    }

    fn spellings(&self) -> impl Iterator<Item = &Parts> {
        std::iter::once(&self.plain).chain(self.other_spelling.as_deref())
    }

    /// First and last name: `jose garcia`.
    #[must_use]
    pub fn key(&self) -> String {
        Parts::pair(&self.plain.first, &self.plain.last)
    }

    /// Under what a record's bare name is stored.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for parts in self.spellings() {
            for last in parts.family() {
                push(&mut keys, Parts::sounds(&parts.first, last));
            }
        }
        keys
    }

    /// By what a bare name is asked for.
    #[must_use]
    pub fn lookups(&self) -> Vec<String> {
        let mut keys = self.keys();
        for (given, family) in self.spellings().flat_map(Parts::readings) {
            push(&mut keys, Parts::sounds(given, family));
            for other in nicknames::frequent_forms(given) {
                push(&mut keys, Parts::sounds(other, family));
            }
        }
        keys
    }

    /// The keys under which a record is stored for the name together with a context.
    ///
    /// The name's part is the sound of the family name and the given name's initial, so that short forms and slips meet; the
    /// context keeps the list of candidates short.
    #[must_use]
    pub fn context(&self, kind: PersonKey, value: &str) -> Vec<[u8; 16]> {
        let mut texts = Vec::new();
        for parts in self.spellings() {
            match kind {
                PersonKey::NamePostalCode => {
                    for word in parts.family().into_iter().chain([parts.first.as_str()]) {
                        push_sound(&mut texts, word, value);
                    }
                    continue;
                }
                PersonKey::BirthDate => {
                    for word in [&parts.first, &parts.last] {
                        push_initial(&mut texts, word, value);
                    }
                    continue;
                }
                PersonKey::Address => {
                    for word in parts.family() {
                        push_initial(&mut texts, word, value);
                    }
                    if parts.last.is_empty() {
                        push_initial(&mut texts, &parts.first, value);
                    }
                    continue;
                }
                _ => {}
            }
            for last in parts.family().into_iter().filter(|last| !last.is_empty()) {
                for given in [Some(parts.first.as_str()), parts.middle.as_deref()] {
                    if let Some(initial) = given.and_then(|given| given.chars().next()) {
                        push(&mut texts, format!("{} {initial}|{value}", sound(last)));
                    }
                }
            }
            // A slip in the family name leaves the given name.
            if is_strong(kind) {
                push(&mut texts, format!("{}|{value}", parts.first));
            }
        }
        texts.iter().map(|text| key(kind, text)).collect()
    }

    /// The keys by which the name together with a context is asked for.
    #[must_use]
    pub fn context_lookups(&self, kind: PersonKey, value: &str) -> Vec<[u8; 16]> {
        let mut texts = Vec::new();
        if matches!(
            kind,
            PersonKey::NamePostalCode | PersonKey::BirthDate | PersonKey::Address
        ) {
            for word in self.spellings().flat_map(|parts| &parts.words) {
                match kind {
                    PersonKey::NamePostalCode => push_sound(&mut texts, word, value),
                    _ => push_initial(&mut texts, word, value),
                }
            }
            return texts.iter().map(|text| key(kind, text)).collect();
        }
        for (given, family) in self.spellings().flat_map(Parts::readings) {
            let forms = nicknames::forms(given);
            if is_strong(kind) {
                push(&mut texts, format!("{given}|{value}"));
            }
            if family.is_empty() {
                continue;
            }
            let family = sound(family);
            let mut initials: Vec<char> = Vec::new();
            for form in std::iter::once(given).chain(forms.iter().copied()) {
                let initial = form.chars().next().filter(|one| !initials.contains(one));
                if let Some(initial) = initial {
                    initials.push(initial);
                    push(&mut texts, format!("{family} {initial}|{value}"));
                }
            }
        }
        texts.iter().map(|text| key(kind, text)).collect()
    }
}

fn push_sound(texts: &mut Vec<String>, word: &str, value: &str) {
    if !word.is_empty() {
        push(texts, format!("{}|{value}", sound(word)));
    }
}

fn push_initial(texts: &mut Vec<String>, word: &str, value: &str) {
    if let Some(initial) = word.chars().next() {
        push(texts, format!("{initial}|{value}"));
    }
}

/// A word by its sound, as Soundex writes it: the first letter and the groups of up to three further consonants. Words of other
/// letters are themselves.
pub(crate) fn sound(word: &str) -> String {
    let group = |letter: char| match letter {
        'b' | 'f' | 'p' | 'v' => Some('1'),
        'c' | 'g' | 'j' | 'k' | 'q' | 's' | 'x' | 'z' => Some('2'),
        'd' | 't' => Some('3'),
        'l' => Some('4'),
        'm' | 'n' => Some('5'),
        'r' => Some('6'),
        _ => None,
    };
    let mut letters = word.chars();
    let Some(first) = letters.next().filter(char::is_ascii_lowercase) else {
        return word.to_owned();
    };
    let mut out = String::from(first);
    let mut last = group(first);
    for letter in letters {
        let this = group(letter);
        if let Some(this) = this.filter(|this| Some(*this) != last) {
            out.push(this);
        }
        if !matches!(letter, 'h' | 'w') {
            last = this;
        }
        if out.len() > 3 {
            break;
        }
    }
    out
}

/// A name's folded parts in one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    first: String,
    middle: Option<String>,
    /// The whole family name joined: `de la vega` → `delavega`.
    last: String,
    /// Every word of the name in order, particles apart.
    words: Vec<String>,
    /// The words of the family name, particles apart.
    last_words: Vec<String>,
    /// The middle names that may be a family name, as the first of two in `ana casanova barragán`.
    other_families: Vec<String>,
}

impl Parts {
    fn of(name: &FullName) -> Option<Self> {
        // As the stored form is read: a name that was turned round has other parts there.
        let name = name.respelt(|text| name::spread(text).into_owned());
        let first = joined(name.first.as_deref()?);
        let last = joined(name.last.as_deref().unwrap_or(""));
        let middle = name.middle.as_deref().map(joined).filter(|m| !m.is_empty());
        let last_words = significant(name.last.as_deref().unwrap_or(""));
        let words = significant(&name.cleaned);
        let other_families = significant(name.middle.as_deref().unwrap_or(""))
            .into_iter()
            .filter(|word| name::shares::is_family(word))
            .collect();
        (!first.is_empty()).then_some(Self {
            first,
            middle,
            last,
            words,
            last_words,
            other_families,
        })
    }

    /// A given and a family name as one key; a name of one word is its own.
    fn pair(given: &str, family: &str) -> String {
        if family.is_empty() {
            given.to_owned()
        } else {
            format!("{given} {family}")
        }
    }

    /// The same by sound, so that slips meet; a name of one word is its own.
    fn sounds(given: &str, family: &str) -> String {
        if family.is_empty() {
            given.to_owned()
        } else {
            format!("{} {}", sound(given), sound(family))
        }
    }

    /// The family name joined, each word of a compound one, and what may be the first of two family names.
    fn family(&self) -> Vec<&str> {
        let mut out = vec![self.last.as_str()];
        for word in self.last_words.iter().chain(&self.other_families) {
            if word.len() > 1 && !out.contains(&word.as_str()) {
                out.push(word);
            }
        }
        out
    }

    /// Pairs of given and family name in which the words can be read.
    fn readings(&self) -> Vec<(&str, &str)> {
        let mut out = vec![(self.first.as_str(), self.last.as_str())];
        for (at, family) in self.words.iter().enumerate() {
            for (other, given) in self.words.iter().enumerate() {
                let pair = (given.as_str(), family.as_str());
                if at != other && family.len() > 1 && !out.contains(&pair) {
                    out.push(pair);
                }
            }
        }
        out
    }
}

fn joined(part: &str) -> String {
    text::fold(part).replace(' ', "")
}

fn significant(part: &str) -> Vec<String> {
    text::fold(part)
        .split(' ')
        .filter(|word| !word.is_empty() && !name::is_particle(word))
        .take(MAX_WORDS)
        .map(str::to_owned)
        .collect()
}
