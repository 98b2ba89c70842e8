//! Names whose given and family name are known apart: nothing is taken off where the two meet.

use super::affixes::{are_suffixes, are_titles};
use super::{FullName, parse};
use crate::spelling::{other_spelling, other_spelling_in};
use crate::{Unreadable, text};

/// A name given in parts, each as [`super::first`] and [`super::last`] clean them.
///
/// Read as one, unless that took a part of it for a title or a suffix: `don` of `don`, `garcia lopez`.
///
/// # Errors
/// When there is no letter in it.
pub fn of_parts(first: &str, middle: Option<&str>, last: &str) -> Result<FullName, Unreadable> {
    let parts = [Some(first), middle, Some(last)];
    let joined: Vec<&str> = parts.into_iter().flatten().collect();
    let read = parse::full(&joined.join(" "))?;
    if read.has_affixes() && are_names(first, last) {
        Ok(apart(first, middle, last))
    } else {
        Ok(read)
    }
}

/// A whole name beside its parts, as a record holds them: part by part where they make up the whole and reading it would
/// take one of them for a title or a suffix.
///
/// # Errors
/// When there is no letter in it.
pub fn stored(
    full_name: &str,
    first: Option<&str>,
    last: Option<&str>,
) -> Result<FullName, Unreadable> {
    let read = parse::full(full_name)?;
    if !read.has_affixes() {
        return Ok(read);
    }
    let parts = || {
        let (first, last) = first.zip(last).filter(|(a, b)| are_names(a, b))?;
        let whole = text::clean(full_name);
        let between = whole.strip_prefix(first)?.strip_suffix(last)?;
        let is_apart = between.starts_with(' ') && between.ends_with(' ');
        let middle = Some(between.trim()).filter(|middle| !middle.is_empty());
        is_apart.then(|| apart(first, middle, last))
    };
    Ok(parts().unwrap_or(read))
}

/// Some sources give the title for the given name, or the suffix for the family name.
fn are_names(first: &str, last: &str) -> bool {
    !are_titles(first) && !are_suffixes(last)
}

fn apart(first: &str, middle: Option<&str>, last: &str) -> FullName {
    let [first, last] = [first, last].map(text::clean);
    let middle = middle.map(text::clean).filter(|middle| !middle.is_empty());
    let cleaned = match &middle {
        Some(middle) => format!("{first} {middle} {last}"),
        None => format!("{first} {last}"),
    };
    FullName {
        cleaned,
        first: Some(first),
        middle,
        last: Some(last),
        prefix: None,
        suffix: None,
    }
}

impl FullName {
    /// Whether a title or a suffix was taken off.
    const fn has_affixes(&self) -> bool {
        self.prefix.is_some() || self.suffix.is_some()
    }

    /// The name in another spelling, read again as what is stored is read.
    pub(crate) fn respelt(&self, spell: impl Fn(&str) -> String) -> Self {
        let again = match (&self.first, &self.last) {
            (Some(first), Some(last)) => {
                let middle = self.middle.as_deref().map(&spell);
                of_parts(&spell(first), middle.as_deref(), &spell(last))
            }
            _ => parse::full(&spell(&self.cleaned)),
        };
        again.unwrap_or_else(|_| self.clone())
    }

    /// The name in its second spelling, where it has one.
    pub(crate) fn in_other_spelling(&self) -> Option<Self> {
        let whole = self.cleaned.as_str();
        other_spelling(whole)?;
        let spell = |text: &str| other_spelling_in(text, whole).unwrap_or_else(|| text.to_owned());
        Some(self.respelt(spell))
    }
}

#[cfg(test)]
mod tests {
    use super::{of_parts, stored};

    #[test]
    fn nothing_is_taken_off_where_two_parts_meet() {
        for (first, middle, last) in [
            ("maria elena", None, "cota"),
            ("don", None, "garcia lopez"),
            ("judge", Some("allen"), "smith"),
        ] {
            let name = of_parts(first, middle, last).unwrap_or_default();
            let all = [Some(first), middle, Some(last)];
            let all: Vec<&str> = all.into_iter().flatten().collect();
            assert_eq!(name.cleaned, all.join(" "));
            assert_eq!((name.prefix, name.suffix), (None, None), "{last}");
        }
    }

    #[test]
    fn a_title_is_no_given_name_and_a_suffix_no_family_name() {
        for (first, middle, last) in [
            ("dr.", Some("maya"), "okafor"),
            ("maya", Some("okafor"), "phd"),
        ] {
            let name = of_parts(first, middle, last).unwrap_or_default();
            assert_eq!(name.cleaned, "maya okafor", "{first}");
        }
    }

    #[test]
    fn a_stored_name_is_read_by_its_parts_where_they_make_it_up() {
        let read = |full, first, last| stored(full, Some(first), Some(last)).unwrap_or_default();
        let name = read("judge ahmed khan", "judge", "khan");
        assert_eq!(name.first.as_deref(), Some("judge"));
        assert_eq!(name.middle.as_deref(), Some("ahmed"));
        for (full, first, last) in [
            ("dr. felix j. grawert", "dr.", "grawert"),
            ("dr. felix j. grawert", "felix", "grawert"),
        ] {
            assert_eq!(read(full, first, last).cleaned, "felix j. grawert");
        }
    }
}
