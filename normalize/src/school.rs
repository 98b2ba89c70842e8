//! Schools: a name in lower case, or the domain of a website or domain.

pub use crate::company::Kind;
use crate::{Unreadable, company, country, emoji, keys, sheet, state, text};

const INVALID: Unreadable = Unreadable::new("not a school's name, website or domain");

/// The name or the domain.
///
/// # Errors
/// When there is no letter in it.
pub fn clean(school: &str) -> Result<String, Unreadable> {
    if let Some((domain, _)) = company::web(school) {
        return Ok(domain);
    }
    if school.len() > text::MAX_LINE_BYTES {
        return Err(INVALID);
    }
    let mut whole =
        text::clean_but_for_marks(sheet::without_apostrophe_of_text(school.trim_start()));
    // What stood around a formula is gone.
    while whole.contains("=\"")
        && let bare = bare(&whole)
        && bare.starts_with(['=', '"'])
        && let again = text::clean_but_for_marks(bare)
        && again.len() < bare.len()
    {
        whole = again;
    }
    let cleaned = bare(&whole);
    if let Some((domain, _)) = company::web(cleaned) {
        return Ok(domain);
    }
    if cleaned.chars().any(char::is_alphabetic) && !company::is_no_host(cleaned) {
        Ok(cleaned.to_owned())
    } else {
        Err(INVALID)
    }
}

/// A name without what lists set around it.
fn bare(name: &str) -> &str {
    let trimmed = |name| {
        let bare = emoji::and_flags_off(name);
        let bare = bare.trim_start_matches(|c: char| c == ' ' || BULLETS.contains(&c));
        bare.trim_matches(|c: char| matches!(c, ',' | ';' | ' ' | '-'))
    };
    let mut name = trimmed(name);
    // Behind quotes there may be commas again.
    loop {
        let inner = sheet::behind_label(unquoted(name), &LABELS);
        let shorter = trimmed(without_full_stop(inner));
        // Signs alone are no name, whatever is taken off.
        if shorter.len() == name.len() || text::is_blank(shorter) {
            return name;
        }
        name = shorter;
    }
}

const BULLETS: [char; 10] = ['•', '‣', '◦', '●', '■', '▪', '▸', '►', '⁃', '∙'];

/// What lists call a school, before a colon.
const LABELS: [&str; 25] = [
    "school",
    "school name",
    "name of school",
    "college",
    "university",
    "institution",
    "institute",
    "education",
    "alma mater",
    "schule",
    "hochschule",
    "universität",
    "école",
    "etablissement",
    "établissement",
    "université",
    "escuela",
    "colegio",
    "universidad",
    "escola",
    "universidade",
    "scuola",
    "università",
    "uczelnia",
    "學校",
];

/// The name without the stop that ends a sentence, behind a word that is none cut short: one that many schools have, or a place.
fn without_full_stop(name: &str) -> &str {
    const MIN: usize = 5;
    let Some(rest) = name.strip_suffix('.') else {
        return name;
    };
    let last = rest.rsplit(' ').next().unwrap_or(rest);
    let is_written_out = last.chars().nth(MIN - 1).is_some()
        && last.chars().all(char::is_alphabetic)
        && (WORDS.contains(&last)
            || state::clean(last, Some("US")).is_ok_and(|state| state.full_name == last)
            || country::clean(last).is_ok_and(|country| country.full_name == last)
            || keys::is_listed_city(last));
    if is_written_out { rest } else { name }
}

/// Words that end names of schools, in full.
const WORDS: [&str; 24] = [
    "university",
    "college",
    "school",
    "institute",
    "academy",
    "seminary",
    "sciences",
    "science",
    "technology",
    "engineering",
    "business",
    "management",
    "medicine",
    "education",
    "design",
    "music",
    "studies",
    "universität",
    "universiteit",
    "universitet",
    "hochschule",
    "universidad",
    "université",
    "schule",
];

/// A name that is quoted as a whole: `"harvard university"`, but not `"elie" school of music "x"`.
fn unquoted(name: &str) -> &str {
    const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('\'', '\'')];
    MARKS
        .iter()
        .find_map(|&(open, close)| {
            let inner = name.strip_prefix(open)?.strip_suffix(close)?;
            (!inner.contains([open, close])).then_some(inner.trim())
        })
        .unwrap_or(name)
}

/// How [`clean`] understands the text.
#[must_use]
pub fn kind(school: &str) -> Kind {
    company::web(school).map_or(Kind::Name, |(_, kind)| kind)
}
