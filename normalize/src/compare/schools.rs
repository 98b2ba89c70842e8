//! Schools by the words of their names, in whichever language they are told: `universitat de barcelona`, `university of barcelona`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::OrganisationFinding;
use crate::{keys, table, text};

/// What the table calls words that say nothing.
const NOTHING: &str = "-";
/// A short form of two words, where a place stands behind it: `tu berlin`.
const TECHNICAL_UNIVERSITY: &str = "tu";
/// The longest text that may be the first letters of a name.
const MAX_LETTERS: usize = 8;
const MIN_LETTERS: usize = 3;
/// Words that say what kind of school it is, and not which.
const KINDS: &[&str] = &[
    "university",
    "college",
    "school",
    "institute",
    "academy",
    "polytechnic",
];
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
/// Short in English, too: they say nothing of the language.
const SHORT: &[&str] = &[
    "uni",
    "univ",
    "coll",
    "inst",
    "tech",
    "engg",
    "polytech",
    "technological",
    "polytechnical",
];
/// Behind these the place has an `s`: `lunds universitet`.
const UNIVERSITIES_OF_THE_NORTH: &[&str] = &["universitet", "universitetet"];

static WORDS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let file = include_str!("../../tables/school_words.tsv");
    let pairs = table::lines(file).filter_map(|line| line.split_once('\t'));
    pairs
        .flat_map(|(english, others)| others.split('|').map(move |other| (other, english)))
        .collect()
});

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
const ONE_KIND: [(&[&str], &str); 3] = [
    (&["university", "applied", "sciences"], "college"),
    (&["polytechnic", "university"], "polytechnic"),
    (&["polytechnic", "institute"], "polytechnic"),
];

/// A school's name by its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SchoolWords {
    /// In English, as far as the table and the cities know them, without those that say nothing.
    words: Vec<String>,
    /// Whether one of them stood in another language, or in short.
    is_translated: bool,
    /// The first letters of the words as they stand, without those that say nothing.
    letters: String,
    /// All of the name in one piece: it may be first letters itself.
    joined: String,
    /// Whether its place may have an `s` that is not its own.
    is_north: bool,
}

impl SchoolWords {
    /// Reads a name; none of an empty one.
    pub(super) fn of(name: &str) -> Option<Self> {
        let folded = text::fold(name);
        let mut read = Self {
            words: Vec::new(),
            is_translated: false,
            letters: String::new(),
            joined: folded.replace(' ', ""),
            is_north: folded
                .split(' ')
                .any(|word| UNIVERSITIES_OF_THE_NORTH.contains(&word)),
        };
        let mut rest = folded.split(' ').filter(|word| !word.is_empty()).peekable();
        while let Some(word) = rest.next() {
            if word == TECHNICAL_UNIVERSITY && rest.peek().is_some() {
                read.words
                    .extend(["technical", "university"].map(str::to_owned));
                read.is_translated = true;
                continue;
            }
            match WORDS.get(word) {
                Some(&NOTHING) => continue,
                Some(english) => {
                    read.words.push((*english).to_owned());
                    read.is_translated |= !SHORT.contains(&word);
                }
                None => read.push(word),
            }
            read.letters.extend(word.chars().next());
        }
        read.name_kind_once();
        (!read.words.is_empty()).then_some(read)
    }

    /// `hochschule` is `university of applied sciences`, and `politecnico` is `polytechnic university`.
    fn name_kind_once(&mut self) {
        for (several, one) in ONE_KIND {
            let has = |word: &&str| self.words.iter().any(|own| own == word);
            if several.iter().all(has) {
                self.words.retain(|word| !several.contains(&word.as_str()));
                self.words.push(one.to_owned());
            }
        }
    }

    /// `goteborgs universitet` is of Göteborg.
    fn push(&mut self, word: &str) {
        let stem = word.strip_suffix('s').filter(|_| self.is_north);
        let of_stem = stem
            .map(keys::city_key)
            .filter(|city| Some(city.as_str()) != stem);
        let english = of_stem.unwrap_or_else(|| keys::city_key(word));
        let english = keys::with_plain_vowels(&english);
        self.is_translated |= english != keys::with_plain_vowels(word);
        self.words.push(english);
    }

    /// How two names stand to each other by their words alone; none where these say nothing.
    ///
    /// The same words in another order are another school in English (`miami university`, `university of miami`), and the same one where
    /// one of the names is told in another language.
    pub(super) fn finding(&self, other: &Self) -> Option<OrganisationFinding> {
        let is_north = self.is_north || other.is_north;
        let sorted = |name: &Self| {
            let own = |word: &String| match word.strip_suffix('s').filter(|_| is_north) {
                Some(stem) => stem.to_owned(),
                None => word.clone(),
            };
            let mut words: Vec<String> = name.words.iter().map(own).collect();
            words.sort_unstable();
            words
        };
        if sorted(self) == sorted(other) && self.says_which() {
            let is_same = self.words == other.words || self.is_translated || other.is_translated;
            return Some(if is_same {
                OrganisationFinding::Near
            } else {
                OrganisationFinding::Partial
            });
        }
        if self.is_called(other) || other.is_called(self) {
            return Some(OrganisationFinding::Letters);
        }
        let own = self.own();
        let is_faculty = self.has_faculty() != other.has_faculty();
        (is_faculty && !own.is_empty() && own == other.own())
            .then_some(OrganisationFinding::Partial)
    }

    /// Whether this is the first letters of the other's words: `unam`.
    fn is_called(&self, other: &Self) -> bool {
        (MIN_LETTERS..=MAX_LETTERS).contains(&self.joined.len()) && self.joined == other.letters
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
