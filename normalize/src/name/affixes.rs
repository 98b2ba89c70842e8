//! The words around a name: titles, honorifics, generational and academic suffixes, particles.

use std::sync::LazyLock;

use super::bare::bare;
use super::post_nominals::{degree_of_two_words, is_spelt_short};
use super::{glued, honorifics, posts, shares};
use crate::table::{self, Words};
use crate::text;

macro_rules! word_table {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Words> =
            LazyLock::new(|| table::words(include_str!(concat!("../../tables/", $file))));
    };
}

word_table!(TITLES, "name_titles.txt");
word_table!(DOTTED_TITLES, "name_titles_dotted.txt");
word_table!(NAMELIKE_TITLES, "name_titles_namelike.txt");
word_table!(TITLE_MODIFIERS, "name_title_modifiers.txt");
word_table!(GENERATIONS, "name_generations.txt");
word_table!(SUFFIXES, "name_suffixes.txt");
word_table!(DOTTED_SUFFIXES, "name_suffixes_dotted.txt");
word_table!(NAMELIKE_SUFFIXES, "name_suffixes_namelike.txt");
word_table!(BESIDE_SUFFIXES, "name_suffixes_beside.txt");
word_table!(PARTICLES, "name_particles.txt");
word_table!(SHORT_GIVEN, "name_short_given.txt");

/// True for words that belong to the family name after them: `de`, `van`, `bin`. Expects lower case.
#[must_use]
pub fn is_particle(word: &str) -> bool {
    PARTICLES.contains(word)
}

/// Whether the given name stands last: `di Caprio Leonardo`.
fn is_turned(name: &[String]) -> bool {
    let is_given = |word: Option<&String>| word.is_some_and(|word| is_known_given(word));
    !is_given(name.first()) && is_given(name.last())
}

/// A name of no longer words may be one in syllables, as `Min Su` is. In bytes.
const LONGEST_SYLLABLE: usize = 4;
/// Ranks before or behind which another stands: `lt gen`, `maj gen`.
const RANKS: [&str; 4] = ["lt", "lieutenant", "brig", "brigadier"];

/// From this part of all people on, a title that is a given name is one where it stands without a dot.
const COMMON_GIVEN: f64 = 2.4e-5;

/// Men's names, before which `Maj` is a major without its dot, as nobody is called `Maj John`. It is a woman's name in
/// Sweden; `Gen` is a man's in Japan (`Gen Ryan Suzuki`), so that a general has a dot.
const MEN: [&str; 10] = [
    "john", "james", "robert", "michael", "william", "david", "richard", "charles", "joseph",
    "thomas",
];

/// What was taken off a name, and whether its capitals mean anything.
pub(super) struct Affixes {
    pub(super) prefixes: Vec<String>,
    pub(super) suffixes: Vec<String>,
    /// The name is written in both cases, so a word in capitals is an abbreviation.
    cased: bool,
}

impl Affixes {
    pub(super) fn of(name: &str) -> Self {
        Self {
            prefixes: Vec::new(),
            suffixes: Vec::new(),
            cased: name
                .split([' ', ','])
                .filter(|word| word.chars().nth(1).is_some() && !is_particle(&bare(word)))
                .any(|word| word.chars().any(char::is_lowercase)),
        }
    }

    /// Titles off the front while `keep` words remain. One that people are also called by goes only with a dot, or where a
    /// whole name follows and it is no common given name: `Earl James Johnson` is no earl.
    pub(super) fn take_prefixes(&mut self, words: &mut Vec<String>, keep: usize) {
        loop {
            let modifiers = words
                .iter()
                .take_while(|word| TITLE_MODIFIERS.contains(&*bare(word)))
                .count();
            glued::part_title(words, modifiers);
            let at = if self.is_title_alone(words, modifiers, keep) {
                0
            } else {
                modifiers
            };
            let after = words.get(at + 1..).unwrap_or_default();
            if !words
                .get(at)
                .is_some_and(|word| self.is_prefix(word, after, keep))
            {
                return;
            }
            self.prefixes.extend(words.drain(..=at));
        }
    }

    /// Whether the first word is a title by itself, whatever it may also modify.
    fn is_title_alone(&self, words: &[String], modifiers: usize, keep: usize) -> bool {
        let Some((word, after)) = words.split_first() else {
            return false;
        };
        // `Insp. John Smith`.
        if is_dotted_title(word) {
            return true;
        }
        // It modifies no title: another word follows.
        if is_title(word) && !words.get(modifiers).is_some_and(|next| is_title(next)) {
            return true;
        }
        // `phil.` behind `Dr.`.
        self.is_rest_of_title(word, after, keep)
    }

    /// Whether a word in front of `after` is a title.
    fn is_prefix(&self, word: &str, after: &[String], keep: usize) -> bool {
        if after.is_empty() {
            return false;
        }
        // `Mrs Smith`.
        if is_title(word) {
            return true;
        }
        // `phil.` behind `Dr.`.
        if self.is_rest_of_title(word, after, keep) {
            return true;
        }
        let is_before_whole = has_own(after, keep);
        // `H.E. Dr. Maya Okafor`, `к.т.н. Иван Петров`.
        if is_excellency(word, after) || is_before_whole && is_russian_degree(&bare(word)) {
            return true;
        }
        // `Insp. John Smith`, but not `Wm. Smith`.
        if is_before_whole && is_dotted_title(word) {
            return true;
        }
        // `M.Sc. Max Muster`, `RA Max Muster`, `Ông Nguyễn Văn An`.
        if is_before_whole
            && (self.is_degree_in_front(word)
                || self.is_german_title(word, after)
                || is_finnish_title(word, after)
                || is_vietnamese_title(word, after))
        {
            return true;
        }
        // `Hj. Siti Aminah`, `M. DUBOIS Pierre`.
        if self.is_spelt_small(word, after) || is_monsieur(word, after) {
            return true;
        }
        if is_lithuanian_lady(word, after) {
            return true;
        }
        if is_before_initials(word, after) {
            return true;
        }
        // `Lance Cpl. Tom Reed`.
        if &*bare(word) == "lance"
            && after.split_first().is_some_and(|(next, name)| {
                matches!(&*bare(next), "cpl" | "corporal" | "sgt" | "sergeant") && has_own(name, 1)
            })
        {
            return true;
        }
        // `Lt Gen John Smith`.
        if is_before_whole && self.is_rank(word, after) {
            return true;
        }
        // What is left is a title that people are also called by.
        if !is_namelike_title(word) {
            return false;
        }
        // `Pan Wei Ming`.
        if is_east_asian_pan(word, after) {
            return false;
        }
        // `Полковник Олег Иванович`.
        if is_before_patronymic(after) {
            return false;
        }
        if word.ends_with('.') {
            return true;
        }
        // `Duke of Edinburgh` is all the name there is.
        if after.first().is_some_and(|word| &*bare(word) == "of") {
            return false;
        }
        // `Earl James Johnson` is no earl, but a `Major General` is no first name.
        let is_before_title = || {
            after
                .split_first()
                .is_some_and(|(next, name)| is_title(next) && has_own(name, 2))
        };
        is_before_whole && (!is_common_given(word) || is_before_title())
    }

    /// What stands behind a title and belongs to it: `Dr. phil.`; before a whole name, as people are called so, also
    /// `Professor Emerita` and the grades of Malay titles (`Datuk Seri`, `Datuk Wira`).
    fn is_rest_of_title(&self, word: &str, after: &[String], keep: usize) -> bool {
        const MALAY: [&str; 4] = ["datuk", "dato", "dato'", "datin"];
        const GRADES: [&str; 6] = ["seri", "sri", "wira", "paduka", "patinggi", "panglima"];
        let is_malay = |title: &String| MALAY.contains(&&*bare(title));
        let is_grade = || GRADES.contains(&&*bare(word)) && self.prefixes.iter().any(is_malay);
        let is_retired =
            || is_emeritus(word) && self.prefixes.iter().any(|word| is_professor(word));
        // `Ing. Arch. Eva Malá`, but not `Dr. Arch. Smith`.
        let is_field = is_degree_field(word) && (&*bare(word) != "arch" || has_own(after, keep));
        // `dr n. med. Anna Nowak`, `Excmo. Sr. D. Juan Pérez`.
        let is_nauk = || word == "n." && after.first().is_some_and(|next| &*bare(next) == "med");
        const SPANISH: [&str; 6] = ["sr", "sra", "excmo", "excma", "ilmo", "ilma"];
        let is_spanish = |title: &String| SPANISH.contains(&&*bare(title));
        let is_don = || {
            matches!(word, "D." | "d." | "D.ª" | "Dª")
                && self.prefixes.last().is_some_and(is_spanish)
                && has_own(after, 2)
                && !after
                    .first()
                    .is_some_and(|next| MEN.contains(&&*bare(next)))
        };
        // `Sergeant Major John Smith`.
        let is_sergeant = |title: &String| matches!(&*bare(title), "sergeant" | "sgt");
        let is_major = || &*bare(word) == "major" && self.prefixes.last().is_some_and(is_sergeant);
        !self.prefixes.is_empty() && (is_field || is_nauk() || is_don())
            || has_own(after, keep) && (is_grade() || is_retired() || is_major())
    }

    /// `Gen` or `Maj` beside another rank (`Lt Gen John Smith`, `Maj Gen John Smith`), or `Maj` before a man's whole name.
    fn is_rank(&self, word: &str, after: &[String]) -> bool {
        let is_one = |word: &String| {
            let bare = bare(word);
            DOTTED_TITLES.contains(&*bare) || RANKS.contains(&&*bare)
        };
        let is_major = &*bare(word) == "maj" && has_own(after, 2);
        DOTTED_TITLES.contains(&*bare(word))
            && (self.prefixes.last().is_some_and(is_one)
                || after
                    .first()
                    .is_some_and(|next| is_one(next) || is_major && MEN.contains(&&*bare(next))))
    }

    /// A degree with points or in the spelling of no name: `LL.M.`, `MSc`. `M.A.` and `MBA` may be initials.
    fn is_degree_in_front(&self, word: &str) -> bool {
        let in_spelling = || self.is_short_form(word) && word.contains(char::is_lowercase);
        (is_dotted_short(word) || in_spelling()) && is_listed_suffix(word)
    }

    /// Engineers, lawyers and tax advisers in German: `DI`, `RA`, `StB` in this spelling. Before a family name in capitals `DI` is its
    /// particle: `DI MARIA Angelo`. With points they are initials (`R.A. Fisher`).
    fn is_german_title(&self, word: &str, after: &[String]) -> bool {
        const TITLES: [&str; 6] = ["di", "diin", "ra", "rain", "stb", "stbin"];
        self.is_short_form(word)
            && !word.contains('.')
            && TITLES.contains(&&*bare(word))
            && after.iter().any(|next| next.len() > LONGEST_SYLLABLE)
            && after
                .first()
                .is_some_and(|next| next.contains(char::is_lowercase))
            && !is_turned(after)
    }

    /// An abbreviation that would be initials in capitals, with its point and beside a name with capitals: `Hj.`, `ks.`, `κ.` `Ts.` is a
    /// technologist of Malaysia, and an initial before a Mongolian name (`Ts. Munkh Orgil`).
    fn is_spelt_small(&self, word: &str, after: &[String]) -> bool {
        const SMALL: [&str; 13] = [
            "hj", "ts", "mw", "sn", "dn", "ks", "id", "κ", "sdr", "bp", "dcn", "dl", "av",
        ];
        let is_initial = &*bare(word) == "ts"
            && self.prefixes.is_empty()
            && after.iter().any(|next| is_mongolian(next));
        if is_initial {
            return false;
        }
        self.cased
            && word.ends_with('.')
            && word.contains(char::is_lowercase)
            && SMALL.contains(&&*bare(word))
            && has_own(after, 2)
            && after.iter().any(|next| next.contains(char::is_uppercase))
    }

    /// How many words at the front are titles and nothing else.
    pub(super) fn leading_titles(words: &[String]) -> usize {
        words.iter().take_while(|word| is_title(word)).count()
    }

    /// Closing segments that hold nothing but suffixes: `Smith, MD, PhD`. `whole` is how many words a first segment
    /// must have to be a name on its own.
    pub(super) fn take_suffix_segments(&mut self, segments: &mut Vec<Vec<String>>, whole: usize) {
        self.take_behind_degree(segments, whole);
        self.take_behind_post(segments, whole);
        while segments.len() > 1 {
            let on_its_own = segments.len() > 2
                || segments.first().is_some_and(|first| {
                    first.iter().filter(|word| !is_around_names(word)).count() >= whole
                });
            let closing = segments
                .last()
                .is_some_and(|last| self.is_suffix_segment(last, on_its_own));
            if !closing && !self.is_behind_whole_name(segments, whole) {
                return;
            }
            let taken = segments.pop().unwrap_or_default();
            self.suffixes.splice(0..0, taken);
        }
    }

    /// What no given name would be behind a name that begins with one: `John Smith, R.Xyz`, `JOHN SMITH, CENG`. A family name
    /// of two words has no given name in front: `García López, M.Ángeles`.
    fn is_behind_whole_name(&self, segments: &[Vec<String>], whole: usize) -> bool {
        let Some((name, [.., closing])) = segments.split_first() else {
            return false;
        };
        let own = name.iter().filter(|word| !is_around_names(word)).count();
        let [word] = closing.as_slice() else {
            return false;
        };
        whole > 1
            && own >= whole
            && name.first().is_some_and(|word| is_known_given(word))
            && (is_dotted_abbreviation(word)
                || !self.cased && is_beside_suffix(word) && !is_known_given(word))
    }

    fn is_suffix_segment(&self, words: &[String], on_its_own: bool) -> bool {
        let joined = words.concat();
        let joined = bare(&joined);
        let strict = |word: &String| is_suffix(word) || is_title(word) && word.ends_with('.');
        let initials = words.len() > 1 && words.iter().all(|word| bare(word).len() == 1);
        if SUFFIXES.contains(&*joined)
            && (words.len() > 1 || words.iter().all(strict))
            && (on_its_own || !initials)
            || words.iter().all(strict)
            || posts::is_post(words, on_its_own)
        {
            return true;
        }
        // A title or a given name tells that a person is named there: `Garcia Lopez, PhD Prof. Maria`.
        let is_given = |word: &String| {
            !self.is_short_form(word) && shares::given(&bare(word)).is_some() || is_title(word)
        };
        let academic = words.split_first().is_some_and(|(first, rest)| {
            // `Md Anisur` is called so.
            let is_short_name = bare(first).len() < 3 && !self.is_short_form(first);
            let is_degree = SUFFIXES.contains(&*bare(first)) && (rest.is_empty() || !is_short_name)
                || is_namelike_suffix(first) && self.is_short_form(first);
            is_degree && !rest.iter().any(is_given)
                // `Chartered Engineer`, but not `Chartered Engineer Maria`.
                || &*bare(first) == "chartered" && matches!(rest, [next] if !is_given(next))
        });
        on_its_own
            && (academic
                || words.iter().all(|word| {
                    strict(word)
                        || is_title(word)
                        || is_namelike_suffix(word)
                        || is_beside_suffix(word) && self.is_short_form(word)
                        || is_standing(word)
                        || is_emeritus(word) && words.iter().any(|word| is_professor(word))
                        || matches!(word.as_str(), "and" | "&")
                        || self.is_abbreviation(word) && !is_pair_of_initials(word)
                        || word.chars().count() > 2 && word.ends_with('.')
                }))
    }

    /// Suffixes between family and given names: `Smith, Jr., John`.
    pub(super) fn take_inner_suffix_segments(&mut self, segments: &mut Vec<Vec<String>>) {
        while segments.len() > 2
            && segments
                .get(1)
                .is_some_and(|inner| inner.iter().all(|word| is_suffix(word)))
        {
            self.suffixes.extend(segments.remove(1));
        }
    }

    /// Suffixes off the end while `keep` words remain, and `sure` ones while `least` do. One that is also a name goes
    /// only as an abbreviation.
    pub(super) fn take_suffixes(&mut self, words: &mut Vec<String>, keep: usize, least: usize) {
        while words.len() > least {
            let Some(word) = words.last() else { return };
            if words.len() <= keep {
                if !self.is_sure_suffix(word) {
                    return;
                }
                self.suffixes.splice(0..0, words.pop());
                continue;
            }
            let abbreviation = self.is_short_form(word) || word.trim_end_matches('.').contains('.');
            let suffix = is_suffix(word)
                || is_generation_spelt_small(word, words)
                || self.is_order(word, words)
                || is_title(word) && word.ends_with('.')
                || is_namelike_suffix(word) && abbreviation && word.chars().count() > 1
                || is_beside_suffix(word) && self.is_short_form(word) && is_spelt_short(word);
            if suffix {
                let has_standing = is_listed_suffix(word) || is_title(word);
                self.suffixes.splice(0..0, words.pop());
                if has_standing
                    && words.len() > keep
                    && words.last().is_some_and(|before| is_standing(before))
                {
                    self.suffixes.splice(0..0, words.pop());
                }
            } else if let Some(at) =
                degree_of_two_words(words, keep).or_else(|| self.post_nominals(words, keep))
            {
                self.suffixes.splice(0..0, words.drain(at..));
            } else {
                return;
            }
        }
    }

    /// A religious order in capitals and without points, behind a given and a family name: `Anselm Grün OSB`. Elsewhere in the world they are
    /// the initials of a name that stands in front: `Perera S.D.B.`, `Perera SDB`.
    fn is_order(&self, word: &str, words: &[String]) -> bool {
        const ORDERS: [&str; 14] = [
            "osb", "osbm", "ofm", "ofmcap", "ofmconv", "ocso", "ocd", "ocarm", "cssr", "svd",
            "opraem", "ocist", "sdb", "osfs",
        ];
        let is_name = |word: &&String| {
            is_own(word) && word.chars().nth(1).is_some() && !self.is_short_form(word)
        };
        self.is_short_form(word)
            && !word.contains('.')
            && ORDERS.contains(&&*bare(word))
            && words.iter().filter(is_name).nth(1).is_some()
    }

    /// What is no name even where only one word stands before it: `Smith Jr.`, `Johnson PhD`, `Smith Prof.`
    fn is_sure_suffix(&self, word: &str) -> bool {
        const SURE: [&str; 13] = [
            "jr", "sr", "jnr", "snr", "ii", "iii", "2nd", "3rd", "4th", "5th", "phd", "esq",
            "pharmd",
        ];
        let bare = bare(word);
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        is_suffix(word)
            && (SURE.contains(&&*bare)
                || honorifics::is_honorific(word)
                || is_russian_degree(&bare)
                || self.cased && capitals > 1 && (&*bare == "md" || bare.chars().count() > 2))
            || is_title(word) && word.ends_with('.')
    }

    /// Titles that close the given names of `Doe, Jane Mrs`.
    pub(super) fn take_closing_titles(&mut self, given: &mut Vec<String>) {
        const CLOSING: [&str; 7] = ["mr", "mrs", "ms", "miss", "dr", "prof", "rev"];
        while given.len() > 1
            && given
                .last()
                .is_some_and(|word| CLOSING.contains(&&*bare(word)))
        {
            self.prefixes.extend(given.pop());
        }
    }

    /// `V` or `I` behind a whole name: the fifth, the first.
    pub(super) fn take_closing_ordinal(&mut self, words: &mut Vec<String>) {
        let own = words.iter().filter(|word| is_own(word)).count();
        if own > 1
            && self.suffixes.is_empty()
            && words
                .last()
                .is_some_and(|word| matches!(word.as_str(), "V" | "I" | "v" | "i"))
        {
            self.suffixes.extend(words.pop());
        }
    }

    /// `V` after the given name of `Smith, John V`: the fifth, unless another generation was named.
    pub(super) fn take_ordinal(&mut self, given: &mut Vec<String>) {
        if given.len() > 1
            && self.suffixes.is_empty()
            && given.last().is_some_and(|word| word == "V")
        {
            self.suffixes.extend(given.pop());
        }
    }

    pub(super) const fn is_cased(&self) -> bool {
        self.cased
    }

    /// Two capitals or more in a name that is otherwise written in both cases.
    fn is_abbreviation(&self, word: &str) -> bool {
        self.cased
            && word.chars().filter(|c| c.is_alphabetic()).count() > 1
            && word.chars().all(|c| !c.is_lowercase())
    }

    /// An abbreviation that may have small letters: `MEng`, `FInstP`, `DipHE`, but not `McDonald` or `DeVito`.
    pub(super) fn is_short_form(&self, word: &str) -> bool {
        let capitals = || word.chars().filter(|c| *c != '.').map(char::is_uppercase);
        let side_by_side = capitals().zip(capitals().skip(1)).any(|(a, b)| a && b);
        let at_both_ends = capitals().next() == Some(true) && capitals().next_back() == Some(true);
        self.cased && capitals().nth(1).is_some() && (side_by_side || at_both_ends)
    }
}

/// `M.J.`: two letters, each with its dot, are initials more often than an abbreviation.
fn is_pair_of_initials(word: &str) -> bool {
    let parts = || word.split('.').filter(|part| !part.is_empty());
    parts().count() == 2 && parts().all(|part| part.chars().count() == 1)
}

/// A title that is no name: `dr.`, `mrs`, `lt.gov.`, `mag-judge`; `D.R.` are initials.
pub(super) fn is_title(word: &str) -> bool {
    // A few of the table are short for two words, and have their points there: `أ.د.`
    if TITLES.contains(word.trim_end_matches('.')) {
        return true;
    }
    if is_pair_of_initials(word) {
        return false;
    }
    let whole = bare(word);
    if TITLES.contains(&*whole) || word.ends_with('.') && DOTTED_TITLES.contains(&*whole) {
        return true;
    }
    let mut parts = word
        .split(['.', '-', '/'])
        .filter(|part| !bare(part).is_empty())
        .enumerate()
        .peekable();
    let several = word.trim_end_matches('.').contains(['.', '-', '/']);
    let is_pointed = !word.contains(['-', '/']);
    let first = parts.peek().map(|(_, part)| bare(part));
    let (true, Some(first)) = (several, first) else {
        return false;
    };
    // `Dipl.-Wirt.-Inf.`, whatever the field; `Dipl.-Ing.Anna` ends with a name.
    let last = word.rsplit('.').next().unwrap_or_default();
    let is_field = last.is_empty() || last.starts_with('-') || last.len() == word.len();
    if matches!(&*first, "dipl" | "diplom") && is_field {
        return true;
    }
    parts.all(|(at, part)| {
        let is_ending = at > 0 && is_pointed && glued::is_ending(&first, part);
        let part = bare(part);
        is_ending
            || part.len() > 1
                && (TITLES.contains(&*part)
                    || DOTTED_TITLES.contains(&*part)
                    || NAMELIKE_TITLES.contains(&*part)
                    || TITLE_MODIFIERS.contains(&*part)
                    || at > 0 && word.ends_with('.') && DEGREE_FIELDS.contains(&&*part))
    })
}

/// What a doctorate is in.
const DEGREE_FIELDS: [&str; 22] = [
    "hc", "phil", "rer", "nat", "med", "iur", "jur", "habil", "oec", "pol", "theol", "techn",
    "dent", "vet", "univ", "sc", "mult", "publ", "arch", "zw", "nadzw", "ndzw",
];

/// Behind the title: `Dr. rer. nat.`, `Dr. phil.`, `Dr. h.c.`, and whose service has ended: `Prof. em.`, `Prof. i.R.`; `I.R.` are
/// initials.
fn is_degree_field(word: &str) -> bool {
    word.ends_with('.') && DEGREE_FIELDS.contains(&&*bare(word))
        || matches!(word, "em." | "i.R." | "a.D.")
}

/// `H.E.` and `H.H.` before another title and a name; before a family name alone they are initials, as in `H.E. King`. Before a given and a
/// family name `H.E.` is *His* or *Her Excellency*.
fn is_excellency(word: &str, after: &[String]) -> bool {
    let is_own = |word: &String| is_own(word) && !is_around_names(word);
    let is_whole = || {
        after.split_first().is_some_and(|(given, rest)| {
            let is_given = is_own(given) && is_known_given(given) && !is_namelike_title(given);
            is_given && rest.iter().any(is_own)
        })
    };
    if is_pair_of_initials(word) && &*bare(word) == "he" && is_whole() {
        return true;
    }
    is_pair_of_initials(word)
        && matches!(&*bare(word), "he" | "hh")
        && after.get(1..).is_some_and(|name| has_own(name, 1))
        && after
            .first()
            .is_some_and(|next| is_title(next) || is_namelike_title(next) && !is_common_given(next))
}

fn is_emeritus(word: &str) -> bool {
    matches!(&*bare(word), "emeritus" | "emerita")
}

fn is_professor(word: &str) -> bool {
    bare(word).starts_with("prof")
}

/// A name of its own, neither an initial nor a particle: `Duke L. Carter` is no duke, `Baron van Dijk` no baron.
fn is_own(word: &str) -> bool {
    // `السيد عبد العال` is a given name and a family name of two words.
    const ARABIC: [&str; 6] = ["عبد", "أبو", "ابو", "بن", "ابن", "آل"];
    let bare = bare(word);
    bare.chars().count() > 1 && !is_particle(&bare) && !ARABIC.contains(&&*bare)
}

/// `Shri K. R. Mehta`: with two initials it is a whole name of India. `Shri K. Mehta` may be called so.
fn is_before_initials(word: &str, after: &[String]) -> bool {
    let is_initial =
        |word: &&String| matches!(bare(word).as_bytes(), [letter] if letter.is_ascii_alphabetic());
    let initials = after.iter().take_while(is_initial).count();
    &*bare(word) == "shri" && initials > 1 && has_own(after, 1)
}

/// Whether so many names of their own are among the words.
fn has_own(words: &[String], least: usize) -> bool {
    words.iter().filter(|word| is_own(word)).count() >= least
}

/// A word that stands around names: a title, a suffix or a particle.
pub(super) fn is_around_names(word: &str) -> bool {
    is_title(word) || is_suffix(word) || is_particle(&bare(word))
}

fn is_namelike_title(word: &str) -> bool {
    NAMELIKE_TITLES.contains(&*bare(word))
}

/// `Pan Wei Ming`, `Пан Ги Мун`: where only short words follow it is a family name, no Slavic mister.
fn is_east_asian_pan(word: &str, after: &[String]) -> bool {
    matches!(&*bare(word), "pan" | "пан") && after.iter().all(|word| word.chars().count() < 5)
}

/// `M.` before another title (`M. et Mme Jean Valjean`) or a family name in capitals with a given name behind it (`M. DUBOIS Pierre`); else
/// it is more often an initial, as before the family names of South India, where one stands in front: `M. RAO Venkat`.
fn is_monsieur(word: &str, after: &[String]) -> bool {
    const SOUTH_INDIAN: [&str; 20] = [
        "rao",
        "reddy",
        "nair",
        "menon",
        "pillai",
        "iyer",
        "iyengar",
        "naidu",
        "raju",
        "kumar",
        "krishnan",
        "raman",
        "subramanian",
        "murthy",
        "shetty",
        "prasad",
        "nambiar",
        "kurup",
        "hegde",
        "chetty",
    ];
    let is_capitals = |word: &str| {
        word.chars().nth(1).is_some()
            && word
                .chars()
                .all(|c| c.is_uppercase() || matches!(c, '-' | '\''))
    };
    match after {
        _ if word != "M." => false,
        [and, title, ..] if matches!(and.as_str(), "et" | "&") => is_title(title),
        [family, given, ..] => {
            is_capitals(family)
                && given.contains(char::is_lowercase)
                && !SOUTH_INDIAN.contains(&&*bare(family))
        }
        _ => false,
    }
}

/// `Herra`, which is a family name in Costa Rica (`Herra Castro, Luis`, `Herra Schröder Luis`), before a whole name that is Finnish by one of its words.
fn is_finnish_title(word: &str, after: &[String]) -> bool {
    const GIVEN: [&str; 51] = [
        "matti", "juha", "mikko", "antti", "jukka", "timo", "pekka", "heikki", "jari", "seppo",
        "markku", "petri", "tapio", "ilkka", "risto", "eero", "olli", "ville", "janne", "teemu",
        "lauri", "tuomas", "juhani", "kalle", "tero", "jarmo", "hannu", "raimo", "reijo", "pentti",
        "veikko", "vesa", "jorma", "kimmo", "jouni", "aleksi", "jussi", "yrjö", "joonatan",
        "väinö", "jyrki", "eemeli", "eetu", "arttu", "paavo", "kaarlo", "mauno", "sauli", "pasi",
        "urho", "toivo",
    ];
    let is_finnish = |word: &String| {
        let bare = bare(word);
        bare.ends_with("nen") || GIVEN.contains(&&*bare)
    };
    &*bare(word) == "herra" && has_own(after, 2) && after.iter().any(is_finnish)
}

/// A name with a word in it that Mongolian names are made of: `Munkh-Orgil`, `Elbegdorj`, `Batbayar`.
fn is_mongolian(word: &str) -> bool {
    const STARTS: [&str; 21] = [
        "munkh", "mönkh", "enkh", "bat-", "batb", "bolor", "otgon", "tsend", "tser", "tsog",
        "tseg", "nyam", "erdene", "lkhagva", "luvsan", "purev", "pürev", "ulzii", "chuluun",
        "davaa", "gantu",
    ];
    const ENDS: [&str; 16] = [
        "baatar", "dorj", "bayar", "dsuren", "nsuren", "erdene", "tsetseg", "mandakh", "jargal",
        "tuya", "tulga", "orgil", "chimeg", "saikhan", "bileg", "ochir",
    ];
    let word = bare(word);
    STARTS.iter().any(|start| word.starts_with(start)) || ENDS.iter().any(|end| word.ends_with(end))
}

/// `Ponia Kazlauskienė`; elsewhere somebody may be called so.
fn is_lithuanian_lady(word: &str, after: &[String]) -> bool {
    const ENDS: [&str; 5] = ["ienė", "iene", "aitė", "ytė", "utė"];
    let is_lithuanian = |last: &String| ENDS.iter().any(|end| bare(last).ends_with(end));
    &*bare(word) == "ponia" && after.last().is_some_and(is_lithuanian)
}

/// `Ông`, `TS.`, before one of the family names that most Vietnamese have: `Ông Ích Khiêm` is called so, `TS. Krishnan` has initials.
fn is_vietnamese_title(word: &str, after: &[String]) -> bool {
    const TITLES: [&str; 8] = ["ông", "bà", "ts", "gs", "bs", "ks", "ls", "gsts"];
    const FAMILIES: [&str; 17] = [
        "nguyễn", "trần", "lê", "phạm", "huỳnh", "hoàng", "phan", "vũ", "võ", "đặng", "bùi", "đỗ",
        "hồ", "ngô", "dương", "lý", "đinh",
    ];
    !is_pair_of_initials(word)
        && TITLES.contains(&&*bare(word))
        && after.len() > 1
        && after
            .first()
            .is_some_and(|next| FAMILIES.contains(&&*bare(next)))
}

/// `Полковник Олег Иванович`: of three words that end in a patronymic, the first is the family name.
fn is_before_patronymic(after: &[String]) -> bool {
    const ENDS: [&str; 6] = ["ич", "овна", "евна", "ична", "івна", "ївна"];
    let [_, last] = after else { return false };
    let last = bare(last);
    ENDS.iter().any(|end| last.ends_with(end))
}

/// Whether there is nothing but titles in a part of a name.
pub(super) fn are_titles(part: &str) -> bool {
    part.split(' ').all(is_title)
}

/// Whether there is nothing but suffixes in a part of a name.
pub(super) fn are_suffixes(part: &str) -> bool {
    part.trim().split(' ').all(is_suffix)
}

/// A part of a name without the stop behind a name that is written out: `Maya.`, not `Wm.` or `Mag.`
pub(super) fn without_stop(part: &str) -> &str {
    part.strip_suffix('.')
        .filter(|rest| {
            let word = rest.rsplit(' ').next().unwrap_or(rest);
            word.chars().count() > 3
                && !word.contains('.')
                && !SHORT_GIVEN.contains(&*bare(word))
                && !is_short_behind_hyphen(word)
                && !is_title(word)
                && (word.split('-').all(is_known_given)
                    || shares::family(&text::fold(word)).is_some())
        })
        .unwrap_or(part)
}

/// `Karl-Wm`, of which the second name is written short.
fn is_short_behind_hyphen(word: &str) -> bool {
    word.rsplit_once('-')
        .is_some_and(|(_, last)| SHORT_GIVEN.contains(&*bare(last)))
}

/// A name that people have more often than they have the title: `dean`, `earl`, `prince`.
fn is_common_given(word: &str) -> bool {
    shares::given(&bare(word)).is_some_and(|share| share >= COMMON_GIVEN)
}

/// An abbreviation with a dot before a whole name: `Insp. John Smith`, but not `Wm. Smith`.
fn is_dotted_title(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|stem| {
        stem.chars().count() > 2
            && stem.chars().all(char::is_alphabetic)
            && !SHORT_GIVEN.contains(&*bare(stem))
    })
}

/// A suffix that is no name: `jr.`, `ph.d.`, `iii`, `ccc-slp`. A generation has no inner dots: `J.R.` are initials.
pub(super) fn is_suffix(word: &str) -> bool {
    is_listed_suffix(word) || honorifics::is_honorific(word) || is_generation(word)
}

/// The younger and the elder in Czech, Slovak and Russian, and the Czech specialist with a diploma, in this spelling only and beside a name
/// with capitals: `Jan Novák ml.`, `Jan Novák DiS.`
fn is_generation_spelt_small(word: &str, words: &[String]) -> bool {
    matches!(word, "ml." | "st." | "мл." | "ст." | "DiS." | "DiS")
        && words.iter().any(|word| word.contains(char::is_uppercase))
}

pub(super) fn is_generation(word: &str) -> bool {
    !has_inner_dot(word) && GENERATIONS.contains(&*bare(word))
}

/// `S.Kom`, `Sp.PD`, `Dip.Ed`: parts with points between, of which one has several letters. `S.P.D.` are initials.
fn is_dotted_short(word: &str) -> bool {
    has_inner_dot(word) && word.split('.').any(|part| part.chars().nth(1).is_some())
}

/// A short word with inner points of which nobody's name is the last: `R.Psych`, but not `J.Paul` or `Ma.Teresa`.
fn is_dotted_abbreviation(word: &str) -> bool {
    let mut parts = word.trim_end_matches('.').rsplit('.');
    let last = parts.next().map(text::fold).unwrap_or_default();
    is_dotted_short(word)
        && last.len() > 1
        && shares::given(&last).is_none()
        && shares::family(&last).is_none()
        && parts.all(|part| (1..4).contains(&part.len()))
        && !word.contains(|c: char| !c.is_alphabetic() && c != '.')
}

fn has_inner_dot(word: &str) -> bool {
    word.trim_end_matches(['.', '。']).contains('.')
}

/// A degree or membership, also two of them in one word, and no generation.
pub(super) fn is_listed_suffix(word: &str) -> bool {
    // Medals of India, which are initials with points: `Prasad V.S.M.`
    const MEDALS: [&str; 4] = ["vsm", "avsm", "pvsm", "uysm"];
    let bare = bare(word);
    SUFFIXES.contains(&*bare) && !(has_inner_dot(word) && MEDALS.contains(&&*bare))
        || is_dotted_short(word) && DOTTED_SUFFIXES.contains(&*bare)
        || bare
            .split_once(['-', '/'])
            .is_some_and(|(a, b)| SUFFIXES.contains(a) && SUFFIXES.contains(b))
}

/// `ктн`, which is nobody's name: the degrees of the table that are in no Latin letters.
fn is_russian_degree(bare: &str) -> bool {
    !bare.is_ascii() && SUFFIXES.contains(bare)
}

/// `Chartered MCIPD`, `Assoc. RICS`, `Assoc. Prof.`: goes with the membership or title behind it.
fn is_standing(word: &str) -> bool {
    matches!(&*bare(word), "chartered" | "assoc")
}

pub(super) fn is_namelike_suffix(word: &str) -> bool {
    NAMELIKE_SUFFIXES.contains(&*bare(word))
}

pub(super) fn is_known_given(word: &str) -> bool {
    shares::given(&text::fold(word)).is_some()
}

/// A suffix that is a family name in capitals too.
pub(super) fn is_beside_suffix(word: &str) -> bool {
    BESIDE_SUFFIXES.contains(&*bare(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_hold_words_as_they_are_looked_up() {
        for table in [
            &TITLES,
            &DOTTED_TITLES,
            &NAMELIKE_TITLES,
            &TITLE_MODIFIERS,
            &GENERATIONS,
            &SUFFIXES,
            &DOTTED_SUFFIXES,
            &NAMELIKE_SUFFIXES,
            &BESIDE_SUFFIXES,
            &PARTICLES,
            &SHORT_GIVEN,
        ] {
            // `أ.د`, short for two words, is looked up with its points.
            for word in table.iter().filter(|word| !word.contains('.')) {
                assert_eq!(&*bare(word), *word);
            }
        }
    }
}
