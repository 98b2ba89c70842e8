//! Legal forms around a company's name: `northwind tools, inc.`, `ооо «ромашка»`, `トヨタ自動車株式会社`.
//!
//! A form is compared without dots, commas and brackets, and by its letters alone where they stand apart (`s. p. a.`). Forms
//! go again and again while a name remains; which of them stand before a name is told by `tables/legal_forms_by_country.tsv`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::law;
use crate::table::{self, Words};
use crate::text;

type Forms = HashSet<Cow<'static, str>>;

static LEGAL_FORMS: LazyLock<Words> =
    LazyLock::new(|| table::lines(include_str!("../../tables/legal_forms.txt")).collect());
/// Forms of scripts that set no space between form and name.
static ATTACHED_FORMS: LazyLock<Vec<&str>> =
    LazyLock::new(|| table::lines(include_str!("../../tables/legal_forms_attached.txt")).collect());
/// Forms that are left in a name: written only by some registers, or more often something else.
static FORMS_OF_KEYS: LazyLock<Words> =
    LazyLock::new(|| table::lines(include_str!("../../tables/legal_forms_more.txt")).collect());
/// Words that names of Indonesian companies have and others have not.
static INDONESIAN_WORDS: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/company_words_indonesian.txt")));
static BY_COUNTRY: LazyLock<ByCountry> = LazyLock::new(ByCountry::read);
/// The letters of every form that stands behind a name: `spzoo`.
static LETTERS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let forms = LEGAL_FORMS.iter().copied();
    let forms = forms.chain(BY_COUNTRY.behind.iter().map(AsRef::as_ref));
    forms.map(letters_of).collect()
});

/// The most words a form behind a name has: `s. de r. l. de c. v.`
const MAX_FORM_WORDS: usize = 8;
/// Fewer letters that stand apart are initials more often than a form; the table has those that are none (`e. v.`).
const MIN_APART: usize = 3;
/// Fewer letters are written as they are, with their accents: `oü`.
const MIN_WITHOUT_ACCENTS: usize = 6;

/// The forms of `tables/legal_forms_by_country.tsv`, by where they stand.
#[derive(Default)]
struct ByCountry {
    behind: Forms,
    /// Behind another form alone: `unipersonale`.
    beside: Forms,
    /// By their first word, and then all words; the longest first.
    front: HashMap<Cow<'static, str>, Vec<Cow<'static, str>>>,
}

impl ByCountry {
    fn read() -> Self {
        let mut forms = Self::default();
        for line in table::lines(include_str!("../../tables/legal_forms_by_country.tsv")) {
            let mut columns = line.split('\t');
            let (Some(form), Some(place)) = (columns.next(), columns.nth(1)) else {
                continue;
            };
            forms.add(Cow::Borrowed(form), place);
            if text::is_latin(form)
                && !form.is_ascii()
                && form.chars().count() >= MIN_WITHOUT_ACCENTS
            {
                forms.add(Cow::Owned(text::fold(form)), place);
            }
        }
        for longest_first in forms.front.values_mut() {
            longest_first.sort_by_key(|form| std::cmp::Reverse(form.len()));
        }
        forms
    }

    fn add(&mut self, form: Cow<'static, str>, place: &str) {
        if matches!(place, "front" | "both") {
            let first = form.split(' ').next().unwrap_or_default().to_owned();
            let of_this_word = self.front.entry(Cow::Owned(first)).or_default();
            of_this_word.push(form.clone());
        }
        match place {
            "behind" | "both" => _ = self.behind.insert(form),
            "beside" => _ = self.beside.insert(form),
            _ => {}
        }
    }

    fn is_front(&self, form: &str) -> bool {
        let first = form.split(' ').next().unwrap_or_default();
        let forms = self.front.get(first);
        forms.is_some_and(|forms| forms.iter().any(|known| known == form))
    }
}

/// True for a form in one word, lower case, as the tables hold it.
pub(super) fn is_form(word: &str) -> bool {
    LEGAL_FORMS.contains(word) || BY_COUNTRY.behind.contains(word)
}

/// A name without its forms, without separators at its ends and quotes around it.
pub(super) fn without(name: &str) -> &str {
    let trimmed = trim(name);
    let mut is_indonesian = says_indonesia(trimmed);
    let is_finnish = says_finland(trimmed);
    let is_romanian = says_romania(trimmed);
    let is_lithuanian = says_lithuania(trimmed);
    let mut name = name;
    // The one kind can bare the other: `acme co株式会社`.
    loop {
        let shorter = without_attached(without_closing(name, is_form));
        is_indonesian |= says_indonesia(shorter);
        let is_sure = |front: &str| match front {
            "pt" | "cv" => is_indonesian,
            "ab" => is_finnish,
            "sc" => is_romanian,
            "uab" => is_lithuanian,
            _ => true,
        };
        let shorter = without_front(shorter, is_sure);
        if shorter.len() == name.len() {
            return name;
        }
        name = shorter;
    }
}

/// A name without the forms that only keys are made without.
pub(super) fn without_those_of_keys(cleaned: &str) -> &str {
    without_closing(cleaned, |text| {
        is_form(text) || FORMS_OF_KEYS.contains(text)
    })
}

/// Forms that stand against the name: `トヨタ自動車株式会社`, `㈜카카오`.
pub(super) fn without_attached(name: &str) -> &str {
    let mut rest = name;
    loop {
        let cut = ATTACHED_FORMS.iter().find_map(|form| {
            rest.strip_prefix(form)
                .or_else(|| rest.strip_suffix(form))
                .map(trim)
                .filter(|shorter| !text::is_blank(shorter))
        });
        match cut {
            Some(shorter) => rest = shorter,
            None => return rest,
        }
    }
}

/// Forms off the end, again and again (`co., ltd.`), while a word remains.
fn without_closing(name: &str, is_form: impl Fn(&str) -> bool) -> &str {
    let mut rest = trim(name);
    while let Some(shorter) = law::without(rest.trim_end_matches(FOOTNOTES))
        .or_else(|| without_dotted_company(rest))
        .or_else(|| without_what_is_beside(rest, &is_form))
        .or_else(|| without_last(rest, &is_form))
    {
        rest = shorter;
    }
    rest
}

/// The name before `.co., ltd.`, which the register of Korea writes so. Cut word by word, it would leave a domain: `jindo.co`.
fn without_dotted_company(name: &str) -> Option<&str> {
    let (before, end) = name.split_at(name.rfind(".co")?);
    let is_apart = end.starts_with(".co.") || end.starts_with(".co,");
    let mut words = end.split([' ', '.', ',']).filter(|word| !word.is_empty());
    let is_limited = words.next() == Some("co")
        && words
            .next()
            .is_some_and(|word| word == "ltd" || word == "limited");
    let is_all = words.next().is_none() && says_something(before) && is_whole(before);
    (is_apart && is_limited && is_all).then(|| trim(before))
}

/// A star or dagger behind a form points to a footnote.
const FOOTNOTES: [char; 4] = ['*', '†', '‡', ' '];

/// The name before its last form, of which as many words go as make one.
fn without_last(name: &str, is_form: impl Fn(&str) -> bool) -> Option<&str> {
    let name = name.trim_end_matches(FOOTNOTES);
    // A form of Ukraine; `Northwind UK` is there, and no form behind a name without a comma.
    let is_ukrainian = |before: &str, end: &str| end.trim() == "uk" && before.ends_with(',');
    let forms: Vec<_> = ends(name)
        .filter(|(before, end)| {
            is_form_text(end, &is_form) && is_meant(before, end)
                || is_ukrainian(before, end)
                || is_without_liability(before, end)
                || is_of_bahrain(end)
                || is_of_azerbaijan(before, end)
        })
        .collect();
    let is_all = |(before, form): &(&str, &str)| is_rest_of_words(&bare(trim(before)), &bare(form));
    if forms.iter().any(is_all) {
        return None;
    }
    // Letters that stand apart are one form or none: `x s. p. a.`
    let is_one = forms.last().is_some_and(|(_, end)| {
        letters_apart(end).is_some_and(|letters| LETTERS.contains(&letters))
    });
    let most = if is_one { 1 } else { MAX_FORM_WORDS };
    forms
        .into_iter()
        .rev()
        .take(most)
        .find_map(|(before, form)| {
            let shorter = trim(before);
            let is_left = says_something(shorter)
                || (LEGAL_FORMS.contains(&*bare(form)) && !text::is_blank(shorter));
            let left = bare(shorter);
            let is_name = is_left && (&*left == "ab" || !BY_COUNTRY.is_front(&left));
            (is_name && is_whole(shorter)).then_some(shorter)
        })
}

/// Forms that are more often something else: units, authorities, energies. They are one where a sign tells it: behind a comma, with their
/// points, in brackets, behind another form, or in a name that is of their country by another word (`Cymdeithas Tai Cyf`).
fn is_meant(before: &str, end: &str) -> bool {
    const WELSH: [&str; 20] = [
        "cymru",
        "cymraeg",
        "gymraeg",
        "cymreig",
        "gymreig",
        "cymunedol",
        "addysg",
        "theatr",
        "ysgol",
        "cwmni",
        "cymdeithas",
        "menter",
        "antur",
        "gwasanaethau",
        "gwynedd",
        "ynni",
        "canolfan",
        "cyhoeddiadau",
        "cynnyrch",
        "teledu",
    ];
    const QUEBEC: [&str; 5] = ["entreprises", "gestion", "ferme", "placements", "services"];
    const LIMITED: [&str; 5] = ["ltd", "limited", "pvt", "private", "pte"];
    if is_bath(before, end) {
        return false;
    }
    let form = bare(end);
    // Of forms one behind the other, the first stands behind the name: `Acme (OPC) Pvt Ltd`, `EDF ENR SA`.
    let (first, next) = form.split_once(' ').unwrap_or((&form, ""));
    let first_as_written = end.trim().split([' ', ',']).next().unwrap_or(end);
    let words = || before.split(' ').map(bare).filter(|word| !word.is_empty());
    let has = |known: &[&str]| words().any(|word| known.contains(&&*word));
    let is_at_home = match first {
        "cyf" => has(&WELSH),
        "enr" => has(&QUEBEC) && has(&["les"]),
        // A person in business, or partners: `Dupont & Fils SENC`.
        "senc" => before.contains(['&']) || has(&["et", "fils", "associés", "associées"]),
        // In the Philippines and in India: `Acme Trading OPC`.
        "opc" => {
            next.split(' ').any(|word| LIMITED.contains(&word))
                || words()
                    .next_back()
                    .is_some_and(|word| super::is_common_word(&text::fold(&word)))
        }
        "egen" | "pfa" => false,
        _ => return true,
    };
    let is_marked = before.trim_end().ends_with(',') || first_as_written.contains(['.', '(', '（']);
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    // `The O.P.C.`, `Office of Public Complaints (OPC)`.
    let is_all = words().all(|word| ARTICLES.contains(&&*word));
    let initials = |is_counted: fn(&str) -> bool| -> String {
        let counted = words().filter(|word| is_counted(word));
        counted.filter_map(|word| word.chars().next()).collect()
    };
    let is_short_for = initials(|_| true).ends_with(first)
        || initials(|word| !SMALL_WORDS.contains(&word)).ends_with(first);
    !is_all && (is_at_home || is_marked && !is_short_for || is_form(&bare(last)))
}

/// `b.s.c.`, which is a form with its points, and a club or a degree without.
fn is_of_bahrain(end: &str) -> bool {
    const CLOSED: [&str; 3] = ["(c)", "(closed)", "closed"];
    let end = end.trim();
    let form = CLOSED.iter().find_map(|word| end.strip_suffix(word));
    matches!(form.unwrap_or(end).trim(), "b.s.c." | "b.s.c")
        || matches!(end, "bsc (c)" | "bsc (closed)" | "bsc closed")
}

/// `mmc` and `asc` behind a name with a letter of Azerbaijan's; elsewhere they are names.
fn is_of_azerbaijan(before: &str, end: &str) -> bool {
    matches!(end.trim(), "mmc" | "m.m.c." | "asc" | "a.s.c.") && before.contains(['ə', 'ğ', 'ı'])
}

/// An English spa, which is no company by shares: `willow creek day spa`. With points or behind a comma it always is one.
fn is_bath(before: &str, end: &str) -> bool {
    const BEFORE: [&str; 29] = [
        "the", "&", "and", "+", "day", "med", "medi", "nail", "nails", "hair", "body", "skin",
        "skincare", "foot", "hand", "pet", "dog", "cat", "salon", "massage", "facial", "lash",
        "brow", "tanning", "bath", "kids", "mini", "float", "thai",
    ];
    let form = end.trim().split([' ', ',']).next().unwrap_or_default();
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    form == "spa" && BEFORE.contains(&last)
}

/// `u.a.` in the name of a Dutch cooperative (`coöperatie koningsoord u.a.`); elsewhere it is `and others`.
fn is_without_liability(before: &str, end: &str) -> bool {
    matches!(end.trim(), "u.a." | "u.a" | "u. a.")
        && (before.contains("coöperati") || before.contains("cooperati"))
}

const ARTICLES: [&str; 11] = [
    "the", "la", "el", "le", "les", "los", "las", "il", "der", "die", "das",
];
/// Words that lend no letter to an abbreviation.
const SMALL_WORDS: [&str; 16] = [
    "of", "the", "for", "and", "&", "in", "on", "de", "du", "des", "la", "le", "les", "et", "pour",
    "to",
];

/// An article before a form that is spelt out, or half of a longer form: `the limited company`, `joint stock limited company`.
fn is_rest_of_words(left: &str, form: &str) -> bool {
    let is_spelt_out = form.contains(' ') && form.split(' ').all(|word| word.chars().count() > 4);
    is_spelt_out && (ARTICLES.contains(&left) || left == "joint stock")
}

/// The name before what stands behind its form and is none by itself: `ferrero s.p.a. unipersonale`.
fn without_what_is_beside(name: &str, is_form: impl Fn(&str) -> bool) -> Option<&str> {
    let beside = &BY_COUNTRY.beside;
    ends(name)
        .filter(|(_, end)| beside.contains(literal(end)) || beside.contains(&*bare(end)))
        .map(|(before, _)| trim(before))
        .filter(|before| without_last(before, &is_form).is_some())
        .last()
}

/// A name cut in two before each of its last words, the shortest end first.
fn ends(name: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = name.char_indices().zip(name.chars().skip(1));
    // The plus of `canal+ co` is the name's.
    let is_glued = |at: usize| {
        let rest = name.get(at + 1..);
        rest.is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
    };
    let cuts = pairs.filter_map(|((at, c), next)| {
        let cut = at + cut_between(c, next)?;
        (next != '+' || c == ' ' || is_glued(cut)).then_some(cut)
    });
    let cuts: Vec<usize> = cuts.collect();
    let last = cuts.into_iter().rev().take(MAX_FORM_WORDS);
    last.map(|at| name.split_at(at))
}

/// How far behind the start of a character a new word begins: with a space, or without one where a comma, a bracket or a sign
/// stands between the two (`acme,inc.`, `acme(uk)ltd`, `gmbh&co.`).
fn cut_between(c: char, next: char) -> Option<usize> {
    let starts_word = matches!(next, '(' | '（' | '&' | '+') && c.is_alphanumeric();
    let ends_word = matches!(c, ',' | '，' | ')' | '）') && next.is_alphanumeric();
    match c {
        ' ' => Some(0),
        _ if starts_word || ends_word => Some(c.len_utf8()),
        _ => None,
    }
}

/// `pt` stands for many things (`pt cruiser club`), and so does `cv`: it is a form with a point, with what Indonesian companies have behind their names,
/// or before a word of their language.
fn says_indonesia(name: &str) -> bool {
    let mut words = name.split(' ');
    matches!(words.next(), Some("pt." | "cv."))
        || words.any(|word| {
            let word = bare(word);
            matches!(&*word, "tbk" | "persero") || INDONESIAN_WORDS.contains(&*word)
        })
}

/// `ab` stands for many things too (`ab volvo`): Finnish companies have their form in both languages, one at each end.
fn says_finland(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or_default();
    matches!(&*bare(last), "oy" | "oyj")
}

/// `sc` as well (`sc johnson`, which has an `s.r.l.` in Italy): Romanian companies have it before the name where the form is behind it.
fn says_romania(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or_default();
    matches!(last, "srl" | "s.r.l" | "s.r.l.") && name.split(' ').nth(1) != Some("johnson")
}

/// `uab` is a university in Alabama, too (`uab athletics`): the form of Lithuania stands before quotes, or a word of its language.
fn says_lithuania(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "vilniaus", "kauno", "lietuvos", "baltijos", "baltic", "ir", "prekyba", "statyba", "grupė",
    ];
    let letters = ['ą', 'č', 'ę', 'ė', 'į', 'š', 'ų', 'ū', 'ž'];
    let is_quoted = |word: &str| QUOTES.iter().any(|&(open, _)| word.starts_with(open));
    let mut words = name.split(' ').skip(1);
    words.any(|word| is_quoted(word) || word.contains(letters) || WORDS.contains(&word))
}

const PREPOSITIONS: [&str; 12] = [
    "of", "for", "in", "at", "by", "and", "&", "from", "with", "to", "on", "or",
];

/// The form that stands before the name: `ооо яндекс`, `pt astra international tbk`.
fn without_front(name: &str, is_sure: impl Fn(&str) -> bool) -> &str {
    let first = name.split(' ').next().unwrap_or_default();
    let Some(forms) = BY_COUNTRY.front.get(&*bare(first)) else {
        return name;
    };
    if !is_sure(&bare(first)) {
        return name;
    }
    let behind = |form: &Cow<'_, str>| {
        let (at, _) = name.match_indices(' ').nth(form.matches(' ').count())?;
        let (front, rest) = name.split_at(at);
        let is_name = rest.trim_start().starts_with(|c: char| {
            c.is_alphanumeric() || QUOTES.iter().any(|&(open, _)| c == open)
        });
        (bare(front) == *form && is_name).then(|| trim(rest))
    };
    let shorter = forms.iter().find_map(behind);
    // `PT Solutions` is no name without what looks like a form.
    // `PJSC of Ukraine`, `CJSC 88.5`.
    let is_of_latin_east = matches!(&*bare(first), "pjsc" | "cjsc");
    let is_named = |rest: &str| {
        let next = rest.split(' ').next().unwrap_or_default();
        rest.contains(char::is_alphabetic) && !PREPOSITIONS.contains(&next)
    };
    let is_left = |rest: &&str| {
        (!is_of_latin_east || is_named(rest))
            && says_something(rest)
            && (rest.contains(' ') || !super::is_common_word(&text::fold(rest)))
    };
    shorter.filter(is_left).unwrap_or(name)
}

/// Two letters or digits at least.
pub(super) fn says_something(name: &str) -> bool {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .nth(1)
        .is_some()
}

/// No bracket is left open: the form in `acme (formerly apex, inc.)` is that of another name.
pub(super) fn is_whole(name: &str) -> bool {
    name.matches(['(', '（']).count() <= name.matches([')', '）']).count()
}

fn is_form_text(end: &str, is_form: impl Fn(&str) -> bool) -> bool {
    let bare = bare(end);
    // `(ca)` says where, not what; `(publ)` and `(pty) ltd` are forms.
    let is_place = end.trim_start().starts_with(['(', '（']) && bare.chars().count() < 3;
    // `sa/nv`: the form in two languages.
    let is_pair = || {
        let parts = || bare.split(['/', '-']);
        parts().nth(1).is_some() && parts().all(|part| part.len() > 1 && is_form(part))
    };
    let is_known = || {
        is_form(&bare)
            || (matches!(bare, Cow::Owned(_)) && BY_COUNTRY.behind.contains(literal(end)))
            || letters_apart(end).is_some_and(|letters| LETTERS.contains(&letters))
            || is_row_of_forms(end, &is_form)
    };
    !is_place && (is_known() || is_pair())
}

/// Forms one behind the other without a space (`co.,ltd.`, `pvt.ltd`), also with another word for `&` (`gmbh und co. kg`).
/// Brackets are left to whoever looks at one form: they may hold a place.
fn is_row_of_forms(end: &str, is_form: impl Fn(&str) -> bool) -> bool {
    if end.contains(['(', '（']) {
        return false;
    }
    // Syllables of names: `gruppo da.co. srl`.
    let is_initials = |word: &str| {
        let mut parts = word.split('.').filter(|part| !part.is_empty());
        let several = parts.clone().nth(1).is_some();
        several && parts.all(|part| part.chars().count() < 3)
    };
    if !end.contains(['&', '+']) && end.split([' ', ',']).any(is_initials) {
        return false;
    }
    let spaced = end.replace('&', " & ").replace('+', " + ");
    let words: Vec<&str> = spaced
        .split([' ', '.', ',', '，'])
        .filter(|word| !word.is_empty())
        .map(|word| if ANDS.contains(&word) { "&" } else { word })
        .collect();
    (2..=MAX_FORM_WORDS).contains(&words.len()) && are_forms(&words, &is_form)
}

/// True where all words belong to forms.
fn are_forms(words: &[&str], is_form: &impl Fn(&str) -> bool) -> bool {
    words.is_empty()
        || (1..=words.len()).any(|count| {
            let (first, rest) = words.split_at(count);
            is_form(&first.join(" ")) && are_forms(rest, is_form)
        })
}

/// What stands for `&` in `& co`.
const ANDS: [&str; 7] = ["+", "and", "und", "u", "en", "og", "och"];

/// A form of which letters stand apart, without what is between them: `s. p. a.`, `s.c.a r.l.`, `s r o`.
fn letters_apart(end: &str) -> Option<String> {
    let pieces = || {
        end.split([' ', '.', ',', '，', '(', ')'])
            .filter(|piece| !piece.is_empty())
    };
    let is_single = |piece: &str| piece.chars().nth(1).is_none();
    let is_dotted = || literal(end).contains('.') && pieces().any(is_single);
    let is_apart = pieces().all(is_single) || is_dotted();
    let letters = || pieces().collect::<String>();
    is_apart
        .then(letters)
        .filter(|letters| letters.chars().count() >= MIN_APART)
}

fn letters_of(form: &str) -> String {
    form.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Separators off both ends, and quotes around the whole: `"northwind"`, `ооо «ромашка»`.
pub(super) fn trim(name: &str) -> &str {
    let mut rest = name;
    loop {
        let plain = rest.trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '，' | ';' | '-' | '/' | '|')
        });
        let inner = QUOTES.iter().find_map(|&(open, close)| {
            let (form, quoted) = plain.strip_suffix(close)?.split_once(open)?;
            let form = bare(form);
            let around = form.is_empty() || is_form(&form) || BY_COUNTRY.is_front(&form);
            let one = !quoted.contains([open, close]);
            (around && one && !text::is_blank(quoted)).then_some(quoted)
        });
        match inner {
            Some(inner) => rest = inner,
            None => match without_brackets(plain) {
                Some(inner) => rest = inner,
                None => return plain,
            },
        }
    }
}

/// What one pair of brackets or single quotes stands around as a whole.
fn without_brackets(name: &str) -> Option<&str> {
    BRACKETS.iter().find_map(|&(open, close)| {
        let inner = name.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close]) && says_something(inner)).then_some(inner)
    })
}

const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('\'', '\''), ('‘', '’')];
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“'), ('„', '”')];

/// A form as the tables hold it: without dots, commas and brackets, and without the dot that small letters keep of the
/// Turkish `İ`. A comma or bracket between two words parts them: `(pty)ltd`.
fn bare(form: &str) -> Cow<'_, str> {
    let form = form.trim();
    let is_parting = |c: char| matches!(c, ',' | '，' | '(' | ')' | '（' | '）');
    let is_dropped = |c: char| matches!(c, '.' | '\u{307}');
    if form.contains(is_dropped) || form.contains(is_parting) || form.contains(" - ") {
        let kept = form.replace(is_dropped, "").replace(is_parting, " ");
        let words: Vec<&str> = kept.split_whitespace().collect();
        Cow::Owned(words.join(" ").replace(" - ", " "))
    } else {
        Cow::Borrowed(form)
    }
}

/// A form with its dots and brackets, but the closing one: `e. v`, `(p) ltd`.
fn literal(form: &str) -> &str {
    form.trim().trim_end_matches('.')
}
