//! Schools: a name in lower case, or the domain of a website or domain.

pub use crate::company::Kind;
use crate::{Unreadable, company, emoji, text};

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
    let cleaned = text::clean_but_for_marks(school);
    let trimmed = |name| {
        let bare = emoji::and_flags_off(name);
        bare.trim_matches(|c: char| matches!(c, ',' | ';' | ' ' | '-'))
    };
    let mut cleaned = trimmed(&cleaned);
    // Behind quotes there may be commas again.
    loop {
        let bare = trimmed(unquoted(cleaned));
        if bare.len() == cleaned.len() {
            break;
        }
        cleaned = bare;
    }
    if let Some((domain, _)) = company::web(cleaned) {
        return Ok(domain);
    }
    if cleaned.chars().any(char::is_alphabetic) && !company::is_no_host(cleaned) {
        Ok(cleaned.to_owned())
    } else {
        Err(INVALID)
    }
}

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
