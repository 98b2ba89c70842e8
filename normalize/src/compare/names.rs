//! Names of persons: word order, initials, nicknames, accents and slips.

use super::typo;
use crate::keys::sound;
use crate::name::{self, FullName, nicknames};
use crate::text;

/// More middle names, and more words of a family name, are not compared.
const MAX_WORDS: usize = 8;

/// How two names of persons agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameAgreement {
    /// They contradict each other.
    Different,
    /// They could be one person's: a slip in one part, or another middle name. Only with a strong context.
    Weak,
    /// They agree but for initials, nicknames, left out names or word order.
    Strong,
    /// Given and family name are the same, and no middle name contradicts.
    Exact,
}

/// What tells two names apart; the farther the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difference {
    /// Nothing, and a middle name or its initial stands in both, or in neither.
    NoneAndMiddle,
    /// Nothing but spelling, and a middle name that only one has.
    None,
    /// One is a short form of the other.
    Nickname,
    /// One of two family or given names is left out.
    Part,
    /// Family name first.
    Order,
    /// A given name is an initial.
    Initial,
    /// A slip of keyboard, ear or scanner in one part.
    Slip,
    /// The middle names contradict each other.
    Middle,
    /// They are two names.
    Another,
}

impl Difference {
    /// How well names agree that differ so.
    #[must_use]
    pub const fn agreement(self) -> NameAgreement {
        match self {
            Self::NoneAndMiddle | Self::None => NameAgreement::Exact,
            Self::Nickname | Self::Part | Self::Order | Self::Initial => NameAgreement::Strong,
            Self::Slip | Self::Middle => NameAgreement::Weak,
            Self::Another => NameAgreement::Different,
        }
    }
}

/// Names in any form.
#[must_use]
pub fn names(a: &str, b: &str) -> NameAgreement {
    match (PersonName::read(a), PersonName::read(b)) {
        (Some(a), Some(b)) => a.difference(&b).agreement(),
        _ => NameAgreement::Different,
    }
}

/// A name read once, to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName {
    plain: Parts,
    /// With `ü` as `ue`, in Latin letters as its bearer writes it, where that is another spelling; and where it is another one of the given and of
    /// the family name, each beside the other's plain one: `Jorg Mueller`.
    other_spellings: Vec<Parts>,
}

impl PersonName {
    /// `None` when there is no letter in it.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::stored(text, None, None)
    }

    /// A given and a family name, each cleaned; see [`name::of_parts`].
    #[must_use]
    pub fn of_parts(first: &str, last: &str) -> Option<Self> {
        let name = name::of_parts(first, None, last).ok()?;
        let name = name.in_latin(Some(first), Some(last));
        Some(Self::of(
            &name.respelt(|text| name::spread(text).into_owned()),
        ))
    }

    /// A name beside its parts, as a record holds them; see [`name::stored`].
    #[must_use]
    pub fn stored(text: &str, first: Option<&str>, last: Option<&str>) -> Option<Self> {
        let name = name::stored(text, first, last).ok()?;
        let name = name.in_latin(first, last);
        // What is stored is clean, and would be read a second time as it was the first time.
        if name::spread(&name.cleaned) == text {
            return Some(Self::of(&name));
        }
        Some(Self::of(
            &name.respelt(|text| name::spread(text).into_owned()),
        ))
    }

    fn of(name: &FullName) -> Self {
        let plain = Parts::of(name);
        let other = name.in_other_spelling().map(|name| Parts::of(&name));
        let mut other_spellings = Vec::new();
        if let Some(other) = other {
            if other.given_joined() != plain.given_joined() && other.last != plain.last {
                other_spellings.push(plain.with_family_of(&other));
                other_spellings.push(other.with_family_of(&plain));
            }
            other_spellings.push(other);
        }
        Self {
            plain,
            other_spellings,
        }
    }

    /// Whether it is read as given names and no family name: `karl-ludwig`. A single word without a hyphen may be either.
    #[must_use]
    pub const fn is_given_alone(&self) -> bool {
        self.plain.last.is_empty() && !self.plain.middle.is_empty()
    }

    /// What tells two names apart, in the spellings that are nearest to each other. Symmetric.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Difference {
        let pairs = self
            .spellings()
            .flat_map(|a| other.spellings().map(move |b| difference(a, b)));
        pairs.min().unwrap_or(Difference::Another)
    }

    pub(super) fn spellings(&self) -> impl Iterator<Item = &Parts> {
        std::iter::once(&self.plain).chain(&self.other_spellings)
    }
}

fn difference(a: &Parts, b: &Parts) -> Difference {
    let straight = a.difference(b);
    if straight.agreement() >= NameAgreement::Strong {
        return straight;
    }
    let turned = [
        a.turned().map(|turned| turned.difference(b)),
        b.turned().map(|turned| a.difference(&turned)),
    ];
    let turned = turned.into_iter().flatten().min();
    match turned.filter(|turned| turned.agreement() >= NameAgreement::Strong) {
        Some(turned) => turned.max(Difference::Order),
        None => straight,
    }
}

/// Folded parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) first: String,
    pub(super) middle: Vec<String>,
    /// How many of the middle names stood in the given name: `jin` of `soo-jin`.
    of_given: usize,
    pub(super) last: Vec<String>,
    /// The words of the family name as one.
    pub(super) joined_last: String,
    /// The same with its particles: `vandijk`.
    glued_last: String,
    /// How many particles stood in the family name; they do not count otherwise.
    particles: usize,
    /// Names that this reading leaves out.
    pub(super) left_out: Vec<String>,
}

impl Parts {
    fn of(name: &FullName) -> Self {
        let words = |part: &Option<String>| -> Vec<String> {
            text::fold(part.as_deref().unwrap_or(""))
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let mut first = words(&name.first);
        let mut middle = words(&name.middle);
        // A hyphenated given name may stand as two: `jean-pierre` and `jean pierre`.
        let of_given = first.len().saturating_sub(1);
        if of_given > 0 {
            middle.splice(0..0, first.drain(1..));
        }
        let mut last = words(&name.last);
        let glued_last = last.concat();
        let particles = last.iter().filter(|word| name::is_particle(word)).count();
        let particles = particles.min(last.len().saturating_sub(1));
        if last.iter().any(|word| !name::is_particle(word)) {
            last.retain(|word| !name::is_particle(word));
        }
        middle.truncate(MAX_WORDS);
        last.truncate(MAX_WORDS);
        Self {
            first: first.pop().unwrap_or_default(),
            middle,
            of_given: of_given.min(MAX_WORDS),
            joined_last: last.concat(),
            glued_last,
            last,
            particles,
            left_out: Vec::new(),
        }
    }

    /// The given names of this spelling with the family name of another.
    fn with_family_of(&self, other: &Self) -> Self {
        Self {
            first: self.first.clone(),
            middle: self.middle.clone(),
            of_given: self.of_given,
            left_out: self.left_out.clone(),
            ..other.clone()
        }
    }

    /// The name read with the family name first: `okafor maya`. What would be its middle names is left out, but for
    /// initials: they could be anything's. None where that would leave a name out and keep an initial: `thomas r. drew` is no `r. thomas`, and `d. thomas
    /// reed` no `thomas drew`.
    pub(super) fn turned(&self) -> Option<Self> {
        let mut words = self.middle.iter().chain(&self.last);
        let given = words.next().cloned().unwrap_or_default();
        let (initials, left_out): (Vec<String>, Vec<String>) =
            words.cloned().partition(|word| word.len() == 1);
        if given.len().min(self.first.len()) == 1 && !left_out.is_empty() {
            return None;
        }
        Some(Self {
            first: given,
            left_out,
            middle: initials,
            of_given: 0,
            last: vec![self.first.clone()],
            joined_last: self.first.clone(),
            glued_last: self.first.clone(),
            particles: 0,
        })
    }

    /// The name read with a family name of several words first: `quirk-silva sharon`.
    pub(super) fn turned_whole(&self) -> Self {
        let mut words: Vec<String> = std::iter::once(&self.first)
            .chain(&self.middle)
            .chain(&self.last)
            .cloned()
            .collect();
        let first = words.pop().unwrap_or_default();
        Self {
            first,
            middle: Vec::new(),
            of_given: 0,
            joined_last: words.concat(),
            glued_last: words.concat(),
            last: words,
            particles: 0,
            left_out: Vec::new(),
        }
    }

    fn difference(&self, other: &Self) -> Difference {
        let (given, family) = (self.given(other), self.family(other));
        let slip = given == Difference::Slip || family == Difference::Slip;
        let far = given.max(family);
        // Two slips, or a slip beside an initial, a nickname or another middle name, prove nothing.
        let proves = !slip || given.min(family) == Difference::None;
        if far == Difference::Another || !proves || self.particle_for_name(other) {
            return Difference::Another;
        }
        match middles(&self.middle, &other.middle) {
            Middles::Contradict if slip => Difference::Another,
            Middles::Contradict => Difference::Middle,
            Middles::Agree if far == Difference::None => Difference::NoneAndMiddle,
            Middles::Agree | Middles::Unknown => far,
        }
    }

    /// One has a particle where the other has a name of its own: `jan van gorp`, `jan pieter gorp`.
    fn particle_for_name(&self, other: &Self) -> bool {
        let (more, fewer) = if self.particles > other.particles {
            (self, other)
        } else {
            (other, self)
        };
        let own = |word: &String| word.len() > 1 && !more.middle.contains(word);
        more.particles > fewer.particles && fewer.middle.iter().any(own)
    }

    fn family(&self, other: &Self) -> Difference {
        let (a, b) = (&self.joined_last, &other.joined_last);
        // A name of one word is all there is: `madonna`.
        if a == b {
            Difference::None
        } else if self.holds(other) || other.holds(self) {
            Difference::Part
        } else if typo::is_slip(a, b) {
            Difference::Slip
        } else {
            Difference::Another
        }
    }

    /// One of two family names, also where the other was read as a middle name: `garcia lopez`, `garcia`.
    /// A further word of the shorter one must be the other's too: `garcia lopez` is not `quillgarcia lopez`.
    pub(super) fn holds(&self, short: &Self) -> bool {
        let further = self.middle.get(self.of_given..).unwrap_or_default();
        let has = |word: &String| self.last.contains(word) || further.contains(word);
        // Else a middle name of the one would be the family name of the other: `nguyen minh van` is no `nguyen van hieu`.
        let is_this = |word: &String| {
            word.len() == 1 || self.first == *word || self.middle.contains(word) || has(word)
        };
        let is_in_place = short.last.iter().any(|word| self.last.contains(word));
        if !is_in_place && !short.middle.iter().all(is_this) {
            return false;
        }
        let is_others = |word: &&String| word.len() > 1 && !has(word) && self.middle.is_empty();
        !short.last.is_empty()
            && short.last.iter().all(|word| word.len() > 1 && has(word))
            && (self.last.len() < 2 || !short.middle.iter().any(|word| is_others(&word)))
    }

    /// Whether both have a given name of two, at least one of them in one piece, of which the second is another: `seo-hyun` and `seo jung`,
    /// `jean-pierre` and `jean-marie`. Not where one may be the other by ear, or stands elsewhere in the other's name.
    pub(super) fn is_given_of_two(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (self.middle.first(), other.middle.first()) else {
            return false;
        };
        let is_elsewhere = |word: &String, name: &Self| {
            word.len() == 1 || name.middle.contains(word) || name.last.contains(word)
        };
        self.of_given.max(other.of_given) > 0
            && self.first == other.first
            && !is_elsewhere(one, other)
            && !is_elsewhere(two, self)
            && !one.starts_with(two.as_str())
            && !two.starts_with(one.as_str())
            && sound(one) != sound(two)
            && !nicknames::are_forms(one, two)
            && !typo::is_slip(one, two)
    }

    /// Whether the family names are one, of which one is written without the space behind its particle: `van dijk`, `vandijk`.
    pub(super) fn has_glued(&self, other: &Self) -> bool {
        self.particles + other.particles > 0
            && (self.glued_last == other.joined_last || self.joined_last == other.glued_last)
    }

    /// The given names as one word: `jeanpierre`.
    pub(super) fn given_joined(&self) -> String {
        format!("{}{}", self.first, self.middle.concat())
    }

    fn given(&self, other: &Self) -> Difference {
        let (a, b) = (self.first.as_str(), other.first.as_str());
        if a.is_empty() || b.is_empty() {
            return Difference::Another;
        }
        if a == b {
            return Difference::None;
        }
        let called_by_middle =
            other.middle.iter().any(|word| word == a) || self.middle.iter().any(|word| word == b);
        if self.given_joined() == other.given_joined() {
            Difference::None
        } else if nicknames::are_forms(a, b) {
            Difference::Nickname
        } else if called_by_middle {
            Difference::Part
        } else if stands_for(a, b) || stands_for(b, a) {
            Difference::Initial
        } else if typo::is_slip(a, b) && !are_two_names(a, b) {
            Difference::Slip
        } else {
            Difference::Another
        }
    }
}

/// Given names that a slip would turn into each other and that people have: `mark` and `mary`, `daniel` and `daniela`.
fn are_two_names(a: &str, b: &str) -> bool {
    let stem = |name: &str| name.trim_end_matches(['a', 'e', 'i', 'o']).len();
    let is_ending = stem(a) == stem(b) && a.get(..stem(a)) == b.get(..stem(b));
    is_ending || nicknames::is_known(a) && nicknames::is_known(b)
}

/// An initial of a given name or of one of its other forms: `e` of `liz`.
fn stands_for(a: &str, b: &str) -> bool {
    is_initial_of(a, b)
        || nicknames::frequent_forms(b)
            .iter()
            .any(|form| is_initial_of(a, form))
}

fn is_initial_of(a: &str, b: &str) -> bool {
    a.len() == 1 && b.starts_with(a)
}

enum Middles {
    /// Each of one side's stands in the other's; or neither has any.
    Agree,
    /// One side has none.
    Unknown,
    Contradict,
}

/// No middle name of the side that has fewer is missing on the other, be it as an initial. Symmetric.
fn middles(a: &[String], b: &[String]) -> Middles {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        return if long.is_empty() {
            Middles::Agree
        } else {
            Middles::Unknown
        };
    }
    let stand_in = |some: &[String], others: &[String]| {
        some.iter().all(|word| {
            others.iter().any(|other| {
                word == other
                    || is_initial_of(word, other)
                    || is_initial_of(other, word)
                    || typo::is_slip(word, other)
            })
        })
    };
    if stand_in(short, long) && (short.len() < long.len() || stand_in(long, short)) {
        Middles::Agree
    } else {
        Middles::Contradict
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, NameAgreement, PersonName, names};

    #[test]
    fn the_same_name_in_another_spelling_is_exact() {
        for (a, b) in [
            ("Maya Okafor", "MAYA OKAFOR"),
            ("Dr. José García", "jose garcia"),
            ("Okafor, Maya", "maya okafor"),
            ("Sinéad O'Neill", "sinead oneill"),
            ("Maya I. Okafor", "maya ifeoma okafor"),
            ("Jürgen Müller", "juergen mueller"),
            ("Jürgen Müller", "jurgen muller"),
            ("Søren Kjær", "soeren kjaer"),
            ("Jürgen Müller", "jurgen mueller"),
            ("Jürgen Müller", "juergen muller"),
        ] {
            assert_eq!(names(a, b), NameAgreement::Exact, "{a} {b}");
        }
    }

    #[test]
    fn initials_nicknames_order_and_left_out_family_names_are_strong() {
        for (a, b) in [
            ("m. okafor", "maya okafor"),
            ("m.i. okafor", "maya okafor"),
            ("okafor m.", "maya okafor"),
            ("okafor maya i.", "maya okafor"),
            ("e. miranda", "liz miranda"),
            ("bill gates", "william gates"),
            ("okafor maya", "maya okafor"),
            ("ana garcia lopez", "ana garcia"),
            ("jean-pierre martin", "jean martin"),
        ] {
            assert!(names(a, b) >= NameAgreement::Strong, "{a} {b}");
            assert!(names(b, a) >= NameAgreement::Strong, "{b} {a}");
        }
    }

    #[test]
    fn one_slip_or_another_middle_name_is_weak() {
        for (a, b) in [
            ("maya i. i. okafor", "maya i. d. okafor"),
            ("maya okafro", "maya okafor"),
            ("john phillips", "john philips"),
            ("john paul smith", "john david smith"),
        ] {
            assert_eq!(names(a, b), NameAgreement::Weak, "{a} {b}");
        }
    }

    #[test]
    fn another_given_or_family_name_is_different() {
        for (a, b) in [
            ("maya okafor", "tomas okafor"),
            ("thomas r. drew", "robert d. thomas"),
            ("jason j. mckendrick-jimenez", "jeannie j. jason"),
            ("maya okafor", "maya lindqvist"),
            ("jan pieter gorp", "jan m. van gorp"),
            ("asuka m. fukuda", "manabu fukuda"),
            ("maya okafor", "n/a"),
            ("bill okafro", "william okafor"),
            ("maya quillgarcia lopez", "maya garcia-lopez"),
            ("min-seo park", "min-seo seo"),
            ("melissa van der velde", "melissa quillan der velde"),
            ("charles breton-morvan", "caroline morvan"),
            ("mark okafor", "mary okafor"),
            ("daniel okafor", "daniela okafor"),
            ("mario okafor", "maria okafor"),
            ("andrea okafor", "andrew okafor"),
            ("maya i. i. okafor", "maya i. d. okafr"),
            ("", ""),
        ] {
            assert_eq!(names(a, b), NameAgreement::Different, "{a} {b}");
        }
    }

    #[test]
    fn a_middle_name_in_both_is_nearer_than_one_that_only_one_has() {
        let of = |a, b| {
            let read = |text| PersonName::read(text).unwrap_or_else(|| panic!("{text}"));
            read(a).difference(&read(b))
        };
        assert_eq!(
            of("maya i. okafor", "maya ifeoma okafor"),
            Difference::NoneAndMiddle
        );
        assert_eq!(of("maya i. okafor", "maya okafor"), Difference::None);
        assert_eq!(
            of("maya k. okafor", "maya ifeoma okafor"),
            Difference::Middle
        );
        assert_eq!(of("bob okafor", "robert okafor"), Difference::Nickname);
        assert_eq!(of("okafor maya", "maya okafor"), Difference::Order);
        assert_eq!(of("okafor m.", "maya okafor"), Difference::Initial);
        assert_eq!(of("maya okafor", "maya okafor-lind"), Difference::Part);
    }

    #[test]
    fn of_a_text_of_many_words_a_few_are_compared() {
        let long = "quill ".repeat(160);
        for text in [
            long.clone(),
            format!("maya {long}"),
            format!("maya de la {long}"),
        ] {
            let name = PersonName::read(&text).unwrap_or_else(|| panic!("{text}"));
            let words = |parts: &super::Parts| parts.middle.len().max(parts.last.len());
            assert!(
                name.spellings()
                    .all(|parts| words(parts) <= super::MAX_WORDS)
            );
        }
    }
}
