//! Schools by the words of their names, in whichever language they are told: `universitat de barcelona`, `university of barcelona`.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::OrganisationFinding;
use crate::{hangul, keys, table, text};

/// What the table calls words that say nothing.
const NOTHING: &str = "-";
/// A short form of two words, where a place stands behind it: `tu berlin`.
const TECHNICAL_UNIVERSITY: &str = "tu";
/// The longest text that may be the first letters of a name.
const MAX_LETTERS: usize = 8;
const MIN_LETTERS: usize = 3;
/// As long are the first letters of some of the words: `it surabaya`, `insa lyon`.
const LETTERS_OF_SOME: RangeInclusive<usize> = 2..=5;
/// Fewer letters begin too many words: `poli`, `fac`.
const MIN_CUT: usize = 3;
/// The longest phrase of the tables: `frankfort on the main`.
const MAX_PHRASE: usize = 4;
/// Words that say what kind of school it is, and not which.
const KINDS: &[&str] = &[
    "university",
    "college",
    "school",
    "institute",
    "academy",
    "polytechnic",
];
const TECHNOLOGY: &str = "technology";
const TECH: &str = "tech";
/// Names of more parts are not short for others, nor are others for them.
const MAX_PARTS: usize = 12;
/// What else a faculty's name has beside the school's.
const FACULTIES: &[&str] = &[
    "business",
    "law",
    "medical",
    "medicine",
    "engineering",
    "management",
    "graduate",
    "faculty",
    "economics",
    "extension",
];
/// Short in English, or other words of it: they say nothing of the language.
const ENGLISH: &[&str] = &[
    "uni",
    "univ",
    "coll",
    "inst",
    "tech",
    "engg",
    "polytech",
    "technical",
    "technological",
    "polytechnical",
    "b school",
];
/// Two letters or more of one word.
const LETTERS_OF_ONE: &[(&str, &[&str])] = &[
    (
        "hs",
        &[
            "hochschule",
            "hogeschool",
            "hogskola",
            "hogskolan",
            "hogskole",
            "hogskolen",
        ],
    ),
    ("fh", &["fachhochschule"]),
    ("amk", &["ammattikorkeakoulu"]),
    ("yo", &["yliopisto"]),
];
/// Behind these the place has an `s`: `lunds universitet`.
const UNIVERSITIES_OF_THE_NORTH: &[&str] = &["universitet", "universitetet"];

/// The table's words and phrases, folded, in English.
static WORDS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let english = told().filter(|(english, _)| *english != NOTHING);
    let english = english.map(|(english, _)| (english.to_owned(), english));
    let others = told().map(|(english, other)| (text::fold(other), english));
    english.chain(others).collect()
});

/// What may end a word without a space: `대전대학교`. Folded, the longest first.
static ENDINGS: LazyLock<Vec<String>> =
    LazyLock::new(|| hangul::endings(told().map(|(_, other)| other)));

/// English, and what it is called otherwise.
fn told() -> impl Iterator<Item = (&'static str, &'static str)> {
    table::alternatives(include_str!("../../tables/school_words.tsv"))
}

/// What opens the name of a part of a school.
const PARTS: &[&str] = &[
    "faculty of",
    "school of",
    "department of",
    "dept of",
    "college of",
];
/// Degrees and words for graduates, which are written beside a school.
const BESIDE: &[&str] = &[
    "alumni", "alumna", "alumnus", "ba", "bachelor", "bs", "bsc", "degree", "llb", "llm", "ma",
    "master", "mba", "msc", "phd",
];
/// What parts a school from these; a dash with its spaces.
const SEPARATORS: [&str; 5] = [",", " - ", " – ", " / ", "("];

/// A school without its faculty, a degree or `alumni` beside it: `Tokyo University, Faculty of Economics`, `BSc, Tokyo University`.
pub(super) fn without_faculty(name: &str) -> &str {
    let cut = SEPARATORS.iter().find_map(|separator| {
        let (before, behind) = name.rsplit_once(separator)?;
        match (Beside::of(before), Beside::of(behind)) {
            (None, Some(part)) => Some(before).filter(|name| part.leaves(name)),
            (Some(part), None) => Some(behind).filter(|name| part.leaves(name)),
            _ => None,
        }
    });
    let last = || {
        let (before, last) = name.trim_end().rsplit_once(' ')?;
        last.eq_ignore_ascii_case("alumni").then_some(before)
    };
    cut.or_else(last).map_or(name, str::trim)
}

/// What stands beside a school.
enum Beside {
    /// A degree, or who graduated.
    Graduate,
    /// A part of it, unless it is the school itself: `College of Engineering, Pune`.
    Part,
}

impl Beside {
    fn of(text: &str) -> Option<Self> {
        let folded = text::fold(text);
        if BESIDE.contains(&folded.as_str()) {
            return Some(Self::Graduate);
        }
        let is_part = FACULTIES.contains(&folded.as_str())
            || PARTS.iter().any(|part| folded.starts_with(part));
        is_part.then_some(Self::Part)
    }

    /// Whether a school is left without it.
    fn leaves(&self, name: &str) -> bool {
        let is_kind = |word: &str| {
            let english = WORDS.get(word).copied().unwrap_or(word);
            KINDS.contains(&english)
        };
        match self {
            Self::Graduate => true,
            Self::Part => text::fold(name).split(' ').any(is_kind),
        }
    }
}

/// Kinds of schools that are called by several words, and by one in other languages.
const ONE_KIND: [(&[&str], &str); 4] = [
    (&["pontifical", "catholic"], "catholic"),
    (&["university", "applied", "sciences"], "college"),
    (&["polytechnic", "university"], "polytechnic"),
    (&["polytechnic", "institute"], "polytechnic"),
];
/// What is one kind only beside a name in English of one in another language: within a language there may be both in one place.
const ONE_KIND_IN_OTHER_WORDS: [(&[&str], &str); 4] = [
    (&["university", "college"], "college"),
    (&[TECHNOLOGY, "university"], "polytechnic"),
    (&[TECHNOLOGY, "institute"], "polytechnic"),
    (&["management"], "business"),
];

/// A school's name by its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SchoolWords {
    /// In their order, without those that say nothing.
    parts: Vec<Part>,
    /// All of them in English.
    words: Vec<String>,
    /// Whether one of them stood in another language.
    is_translated: bool,
    /// All of the name in one piece: it may be first letters itself.
    joined: String,
    /// Whether its place may have an `s` that is not its own.
    is_north: bool,
}

/// A word, or words that the tables know together.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// Folded, as it stands.
    told: String,
    /// In English, as far as the table and the cities know it; nothing of a rank.
    english: Vec<String>,
    /// Whether a table knows it.
    is_known: bool,
}

impl Part {
    fn letters(&self) -> impl Iterator<Item = char> {
        let words = self.told.split(' ');
        words.filter_map(|word| word.chars().next())
    }

    fn is_technology(&self) -> bool {
        self.english == [TECHNOLOGY]
    }

    fn kind(&self) -> Option<&str> {
        let mut words = self.english.iter().map(String::as_str);
        words.find(|word| KINDS.contains(word))
    }
}

impl SchoolWords {
    /// Reads a name; none of an empty one.
    pub(super) fn of(name: &str) -> Option<Self> {
        let folded = text::fold(name);
        let words: Vec<&str> = folded
            .split(' ')
            .flat_map(|word| hangul::parted(word, &ENDINGS))
            .collect();
        let mut read = Self {
            parts: Vec::new(),
            words: Vec::new(),
            is_translated: false,
            joined: folded.replace(' ', ""),
            is_north: words
                .iter()
                .any(|word| UNIVERSITIES_OF_THE_NORTH.contains(word)),
        };
        let mut rest = words.as_slice();
        while let [word, behind @ ..] = rest {
            rest = match read.take_known(rest) {
                0 if *word == TECHNICAL_UNIVERSITY && !behind.is_empty() => {
                    read.push(word, "technology university", true);
                    behind
                }
                0 => {
                    read.push_other(word);
                    behind
                }
                taken => rest.get(taken..).unwrap_or_default(),
            };
        }
        read.words = in_english(&read.parts, &ONE_KIND);
        (!read.words.is_empty()).then_some(read)
    }

    /// Takes the longest phrase that the tables know from the front; how many words that is.
    fn take_known(&mut self, words: &[&str]) -> usize {
        for length in (1..=words.len().min(MAX_PHRASE)).rev() {
            let phrase = words.get(..length).unwrap_or_default().join(" ");
            if let Some(english) = WORDS.get(&phrase) {
                if *english != NOTHING {
                    self.is_translated |= *english != phrase && !ENGLISH.contains(&phrase.as_str());
                    self.push(&phrase, english, true);
                }
            } else if let Some(city) = keys::english_city(&phrase).filter(|_| length > 1) {
                self.is_translated |= city != phrase;
                self.parts.push(Part {
                    told: phrase,
                    english: vec![keys::with_plain_vowels(city)],
                    is_known: true,
                });
            } else {
                continue;
            }
            return length;
        }
        0
    }

    fn push(&mut self, told: &str, english: &str, is_known: bool) {
        let words = english
            .split(' ')
            .filter(|word| !matches!(*word, "" | "of"));
        self.parts.push(Part {
            told: told.to_owned(),
            english: words.map(str::to_owned).collect(),
            is_known,
        });
    }

    /// `goteborgs universitet` is of Göteborg.
    fn push_other(&mut self, word: &str) {
        let stem = word.strip_suffix('s').filter(|_| self.is_north);
        let of_stem = stem
            .map(keys::city_key)
            .filter(|city| Some(city.as_str()) != stem);
        let english = of_stem.unwrap_or_else(|| keys::city_key(word));
        let english = keys::with_plain_vowels(&english);
        let is_other = english != keys::with_plain_vowels(word);
        self.is_translated |= is_other;
        self.parts.push(Part {
            told: word.to_owned(),
            english: vec![english],
            is_known: is_other || FACULTIES.contains(&word),
        });
    }

    /// How two names stand to each other by their words alone; none where these say nothing.
    ///
    /// The same words in another order are another school in English (`miami university`, `university of miami`), and the same one where
    /// one of the names is told in another language.
    pub(super) fn finding(&self, other: &Self) -> Option<OrganisationFinding> {
        let is_north = self.is_north || other.is_north;
        let is_translated = self.is_translated || other.is_translated;
        let has_same = |a: &[String], b: &[String]| sorted(a, is_north) == sorted(b, is_north);
        if has_same(&self.words, &other.words) && self.says_which() {
            return Some(if is_translated || self.words == other.words {
                OrganisationFinding::Near
            } else {
                OrganisationFinding::Partial
            });
        }
        let [own, others] = [self, other].map(|name| in_other_words(&name.words));
        if self.is_translated != other.is_translated && self.says_which() && has_same(&own, &others)
        {
            return Some(OrganisationFinding::Near);
        }
        if self.is_called(other) || other.is_called(self) {
            return Some(OrganisationFinding::Letters);
        }
        let shorter = self.short_for(other).max(other.short_for(self));
        if shorter.is_some() {
            return shorter;
        }
        let own = self.own();
        let is_faculty = self.has_faculty() != other.has_faculty();
        (is_faculty && !own.is_empty() && own == other.own())
            .then_some(OrganisationFinding::Partial)
    }

    /// Whether this is the first letters of the other's words: `unam`.
    fn is_called(&self, other: &Self) -> bool {
        (MIN_LETTERS..=MAX_LETTERS).contains(&self.joined.len())
            && other
                .parts
                .iter()
                .flat_map(Part::letters)
                .eq(self.joined.chars())
    }

    /// Near where one word of it stands for words of the other that say of which kind it is, beside which all is the same: `it surabaya`,
    /// `poli firenze`, `tokyo tech`. Letters where these words say which school it is, too: `uc berkeley`.
    fn short_for(&self, other: &Self) -> Option<OrganisationFinding> {
        if self.parts.len().max(other.parts.len()) > MAX_PARTS {
            return None;
        }
        let places = (0..).zip(&self.parts);
        let all = other.parts.len();
        let found = places.flat_map(|(at, part)| {
            let rest = beside(&self.parts, at, 1);
            (0..all).flat_map(move |from| {
                let rest = rest.clone();
                (1..=*LETTERS_OF_SOME.end()).filter_map(move |length| {
                    let window = other.parts.get(from..from + length)?;
                    let found = stands_for(part, window)?;
                    (!rest.is_empty() && rest == beside(&other.parts, from, length))
                        .then_some(found)
                })
            })
        });
        found.max()
    }

    fn has_faculty(&self) -> bool {
        self.words
            .iter()
            .any(|word| FACULTIES.contains(&word.as_str()))
    }

    fn says_which(&self) -> bool {
        !self.own().is_empty()
    }

    /// The words that say which school it is, whatever part of it.
    fn own(&self) -> Vec<&str> {
        let is_own = |word: &&str| !KINDS.contains(word) && !FACULTIES.contains(word);
        self.words
            .iter()
            .map(String::as_str)
            .filter(is_own)
            .collect()
    }
}

/// All words of the parts, a kind once: `hochschule` is `university of applied sciences`, and `politecnico` is `polytechnic university`.
fn in_english(parts: &[Part], kinds: &[(&[&str], &str)]) -> Vec<String> {
    let words = parts.iter().flat_map(|part| part.english.iter().cloned());
    with_kinds_once(words.collect(), kinds)
}

fn in_other_words(words: &[String]) -> Vec<String> {
    with_kinds_once(words.to_vec(), &ONE_KIND_IN_OTHER_WORDS)
}

fn with_kinds_once(mut words: Vec<String>, kinds: &[(&[&str], &str)]) -> Vec<String> {
    for (several, one) in kinds {
        let has = |word: &&str| words.iter().any(|own| own == word);
        if several.iter().all(has) {
            words.retain(|word| !several.contains(&word.as_str()));
            words.push((*one).to_owned());
        }
    }
    words
}

/// In the order of the alphabet; in the north without the `s` of a place.
fn sorted(words: &[String], is_north: bool) -> Vec<&str> {
    let own = |word| {
        str::strip_suffix(word, 's')
            .filter(|_| is_north)
            .unwrap_or(word)
    };
    let mut words: Vec<&str> = words.iter().map(|word| own(word)).collect();
    words.sort_unstable();
    words
}

/// The words of a name in English without so many of its parts, in no order.
fn beside(parts: &[Part], from: usize, length: usize) -> Vec<String> {
    let (before, rest) = parts.split_at_checked(from).unwrap_or_default();
    let behind = rest.get(length..).unwrap_or_default();
    let mut words = in_english(&[before, behind].concat(), &ONE_KIND);
    words.sort_unstable();
    words
}

/// Whether a part stands for several parts of another name by their first letters, for one that it begins, or as `tech` for a university
/// or an institute of technology.
fn stands_for(part: &Part, window: &[Part]) -> Option<OrganisationFinding> {
    let told = part.told.as_str();
    let is_of_technology = |part: &Part| matches!(part.kind(), Some("university" | "institute"));
    if told == TECH
        && let [a, b] = window
        && (a.is_technology() && is_of_technology(b) || is_of_technology(a) && b.is_technology())
    {
        return Some(OrganisationFinding::Near);
    }
    if part.is_known || !window.iter().any(|part| part.kind().is_some()) {
        return None;
    }
    let stands = match window {
        [one] => {
            let has_letters = |(letters, words): &(&str, &[&str])| {
                *letters == told && words.contains(&one.told.as_str())
            };
            told.len() >= MIN_CUT && one.told.starts_with(told)
                || LETTERS_OF_ONE.iter().any(has_letters)
        }
        several => {
            LETTERS_OF_SOME.contains(&told.len())
                && several.iter().flat_map(Part::letters).eq(told.chars())
        }
    };
    let found = match window.iter().all(|part| part.is_known) {
        true => OrganisationFinding::Near,
        false => OrganisationFinding::Letters,
    };
    stands.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::without_faculty;
    use crate::compare::{OrganisationFinding as Found, schools};

    #[test]
    fn a_faculty_and_a_degree_stand_beside_a_school() {
        for (name, school) in [
            ("Tokyo University, Faculty of Economics", "Tokyo University"),
            ("BSc, Tokyo University", "Tokyo University"),
            ("MIT (MBA", "MIT"),
            ("Bristol College Alumni", "Bristol College"),
            (
                "Instituto Tecnológico de México - Law",
                "Instituto Tecnológico de México",
            ),
            (
                "College of Engineering, Pune",
                "College of Engineering, Pune",
            ),
            (
                "College of Charleston, South Carolina",
                "College of Charleston, South Carolina",
            ),
        ] {
            assert_eq!(without_faculty(name), school);
        }
    }

    #[test]
    fn a_school_has_one_name_in_all_its_languages() {
        for (a, b) in [
            ("University of Barcelona", "Universitat de Barcelona"),
            (
                "Technical University of Munich",
                "Technische Universität München",
            ),
            ("TU Berlin", "Technische Universität Berlin"),
            ("Uni Köln", "University of Cologne"),
            ("Univ. of Michigan", "University of Michigan"),
            ("Aarhus Universitet", "Aarhus University"),
            ("University of Gothenburg", "Göteborgs universitet"),
            ("Lund University", "Lunds universitet"),
            (
                "Autonomous University of Madrid",
                "Universidad Autónoma de Madrid",
            ),
            ("University of Warsaw", "Uniwersytet Warsaw"),
            ("University of Venice", "Università degli Studi di Venezia"),
            ("University of Bucharest", "Universitatea din București"),
            (
                "Frankfurt University of Applied Sciences",
                "Hochschule Frankfurt am Main",
            ),
            ("Malmö University College", "Högskolan i Malmö"),
            (
                "Saint Petersburg State University",
                "Санкт-Петербургский государственный университет",
            ),
            ("Technical University of Athens", "Πολυτεχνείο Αθήνα"),
            ("Daejeon University", "대전대학교"),
            ("Seoul University of Technology", "서울공과대학교"),
            ("Tokyo Institute of Technology", "東京工業大学"),
            ("University of Tokyo", "東京大学"),
            (
                "Bandung Institute of Technology",
                "Institut Teknologi Bandung",
            ),
            ("Paris School of Management", "École de Commerce de Paris"),
            (
                "Catholic University of São Paulo",
                "Pontifícia Universidade Católica de São Paulo",
            ),
        ] {
            assert!(schools(a, b) >= Found::Near, "{a} {b}: {:?}", schools(a, b));
            assert_eq!(schools(a, b), schools(b, a), "{a} {b}");
        }
    }

    #[test]
    fn the_same_words_in_another_order_may_be_another_school() {
        for (a, b) in [
            ("Miami University", "University of Miami"),
            ("Washington University", "University of Washington"),
            ("York University", "University of York"),
            ("Univ. of Washington", "Washington University"),
            ("Harvard Business School", "Harvard University"),
            ("Manchester University", "University of Manchester"),
        ] {
            assert_eq!(schools(a, b), Found::Partial, "{a} {b}");
        }
    }

    #[test]
    fn first_letters_stand_for_a_name_in_any_language() {
        for (a, b) in [
            ("UNAM", "Universidad Nacional Autónoma de México"),
            ("MIT", "Massachusetts Institute of Technology"),
            ("TUM", "Technische Universität München"),
        ] {
            assert_eq!(schools(a, b), Found::Letters, "{a} {b}");
        }
    }

    #[test]
    fn a_kind_may_be_told_by_its_letters_or_its_first_ones() {
        for (a, b) in [
            ("IT Surabaya", "Institut Teknologi Surabaya"),
            ("UP Madrid", "Universidad Politécnica de Madrid"),
            ("TU Delft", "Technische Universiteit Delft"),
            (
                "UF Rio de Janeiro",
                "Universidade Federal do Rio de Janeiro",
            ),
            (
                "INSA Lyon",
                "Institut National des Sciences Appliquées Lyon",
            ),
            ("Eskişehir TÜ", "Eskişehir Teknik Üniversitesi"),
            ("VUT Praha", "Vysoké učení technické v Praze"),
            ("HS Göteborg", "Högskolan i Göteborg"),
            ("Helsinki AMK", "Helsinki ammattikorkeakoulu"),
            (
                "PUC São Paulo",
                "Pontifícia Universidade Católica de São Paulo",
            ),
            ("Poli Firenze", "Politecnico di Firenze"),
            ("Παν. Αθήνα", "Πανεπιστήμιο Αθήνα"),
            ("Tokyo Tech", "Tokyo Institute of Technology"),
            ("Michigan Tech", "Michigan Technological University"),
            ("London B-School", "London Business School"),
        ] {
            assert!(schools(a, b) >= Found::Near, "{a} {b}: {:?}", schools(a, b));
            assert_eq!(schools(a, b), schools(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("IT Jakarta", "Institut Teknologi Surabaya"),
            ("Lincoln HS", "Lincoln College"),
            ("PO Madrid", "Universidad Politécnica de Madrid"),
            ("Virginia Tech", "University of Virginia"),
            (
                "Technological University of the Philippines",
                "Polytechnic University of the Philippines",
            ),
            ("IT", "Institut Teknologi"),
            ("SIT Pune", "Symbiosis Institute of Technology Pune"),
            ("Louisiana Tech", "Louisiana Technical College"),
            (
                "Universidad Tecnológica de Querétaro",
                "Universidad Politécnica de Querétaro",
            ),
            ("北京工业大学", "北京理工大学"),
            (
                "Hong Kong Polytechnic University",
                "Hong Kong University of Science and Technology",
            ),
            (
                "Universidad de Salamanca",
                "Universidad Pontificia de Salamanca",
            ),
            ("University College London", "London College"),
            ("Royal College of Music", "College of Music"),
            ("University of MN", "University of Amman"),
            ("Université Paris V", "University of Paris"),
        ] {
            assert!(schools(a, b) < Found::Near, "{a} {b}: {:?}", schools(a, b));
        }
    }

    #[test]
    fn a_long_name_is_compared_at_once() {
        let long = |word: &str| format!("university {}", vec![word; 300].join(" "));
        assert!(schools(&long("ab"), &long("ac")) < Found::Near);
    }

    #[test]
    fn other_schools_contradict() {
        for (a, b) in [
            ("University of Munich", "Technical University of Munich"),
            (
                "University of Barcelona",
                "Autonomous University of Barcelona",
            ),
            ("University of Michigan", "Michigan State University"),
            ("Boston College", "University of Oslo"),
            ("University", "Universität"),
        ] {
            assert!(schools(a, b) < Found::Near, "{a} {b}: {:?}", schools(a, b));
        }
        for (a, b) in [
            ("University of Munich", "Technical University of Munich"),
            ("Boston College", "Boston University"),
            ("Georgia Institute of Technology", "University of Georgia"),
            ("Harvard Law School", "Harvard Medical School"),
        ] {
            assert_eq!(schools(a, b), Found::Different, "{a} {b}");
        }
    }
}
