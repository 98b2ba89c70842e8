//! Schools by the words of their names, in whichever language they are told: `universitat de barcelona`, `university of barcelona`.

mod beside;
mod short;
mod whole;
mod words;

use super::OrganisationFinding;
use crate::text;

pub(super) use beside::without_faculty;
pub(super) use whole::Wholes;
use words::Part;

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
const UNIVERSITY: &str = "university";
const TECHNOLOGY: &str = "technology";
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
/// Behind these the place has an `s`: `lunds universitet`.
const UNIVERSITIES_OF_THE_NORTH: &[&str] = &["universitet", "universitetet"];

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
pub(crate) struct SchoolWords {
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

impl SchoolWords {
    /// Reads a name; none of an empty one.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let folded = text::fold(name);
        let words = words::words_of(&folded);
        let is_north = words
            .iter()
            .any(|word| UNIVERSITIES_OF_THE_NORTH.contains(word));
        let parts = words::parts_of(&words, is_north);
        let read = Self {
            words: in_english(&parts, &ONE_KIND),
            is_translated: parts.iter().any(|part| part.is_translated),
            parts,
            joined: folded.replace(' ', ""),
            is_north,
        };
        (!read.words.is_empty()).then_some(read)
    }

    /// How two names stand to each other by their words alone; none where these say nothing.
    ///
    /// The same words in another order can be another school in English (`miami university`, `university of miami`; `exeter university` is
    /// the university of exeter), and are the same one where one of the names is told in another language.
    pub(super) fn finding(&self, other: &Self) -> Option<OrganisationFinding> {
        let is_north = self.is_north || other.is_north;
        let is_translated = self.is_translated || other.is_translated;
        let has_same = |a: &[String], b: &[String]| sorted(a, is_north) == sorted(b, is_north);
        if has_same(&self.words, &other.words) && self.says_which() {
            return Some(if is_translated || self.words == other.words {
                OrganisationFinding::Near
            } else {
                OrganisationFinding::Kind
            });
        }
        if self.is_translated != other.is_translated
            && self.says_which()
            && has_same(&in_other_words(&self.words), &in_other_words(&other.words))
        {
            return Some(OrganisationFinding::Near);
        }
        if self.is_called(other) || other.is_called(self) {
            return Some(OrganisationFinding::Letters);
        }
        let in_short = |a: &Self, b: &Self| short::finding(&a.parts, &b.parts);
        let found = in_short(self, other).max(in_short(other, self));
        if found.is_some() {
            return found;
        }
        let own = self.own();
        let is_faculty = self.has_faculty() != other.has_faculty();
        (is_faculty && !own.is_empty() && own == other.own())
            .then_some(OrganisationFinding::Partial)
    }

    /// By what the table of names has it: its words, and where they stood in another language, in no order.
    pub(crate) fn known_by(&self) -> impl Iterator<Item = String> {
        let is_told = self.tells_its_kind() && self.says_which();
        let sorted = (is_told && self.is_translated).then(|| self.in_no_order());
        is_told
            .then(|| self.words.join(" "))
            .into_iter()
            .chain(sorted)
    }

    /// The same, whatever language it is asked for in.
    pub(crate) fn known_as(&self) -> impl Iterator<Item = String> {
        let is_told = self.tells_its_kind() && self.says_which();
        is_told
            .then(|| [self.words.join(" "), self.in_no_order()])
            .into_iter()
            .flatten()
    }

    /// A college of another language is many things in English: `hochschule`, `faculdade`.
    fn tells_its_kind(&self) -> bool {
        !self.is_translated || !self.words.iter().any(|word| word == "college")
    }

    fn in_no_order(&self) -> String {
        format!("= {}", sorted(&self.words, false).join(" "))
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
        ] {
            assert_eq!(schools(a, b), Found::Kind, "{a} {b}");
        }
    }

    #[test]
    fn first_letters_stand_for_a_name_in_any_language() {
        for (a, b) in [
            ("UNAQ", "Universidad Nacional Autónoma de Quillmoss"),
            ("HIT", "Harrow Institute of Technology"),
            ("TUQ", "Technische Universität Quillmoss"),
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
