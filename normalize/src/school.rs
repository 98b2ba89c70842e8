//! Schools: a name in lower case, or the domain of a website or domain.

pub use crate::company::Kind;
use crate::{Unreadable, company, emoji, sheet, text};

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
        bare.trim_matches(|c: char| matches!(c, ',' | ';' | ' ' | '-'))
    };
    let mut name = trimmed(name);
    // Behind quotes there may be commas again.
    loop {
        let inner = sheet::behind_label(unquoted(name), &LABELS);
        let shorter = trimmed(inner);
        // Signs alone are no name, whatever is taken off.
        if shorter.len() == name.len() || text::is_blank(shorter) {
            return name;
        }
        name = shorter;
    }
}

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
