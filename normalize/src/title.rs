//! Job titles: lower case with abbreviations written out (rule R4 of the vocabulary).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Unreadable, table, text};

static ABBREVIATIONS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../tables/title_abbreviations.tsv")));

/// The title in lower case, abbreviations written out.
///
/// # Errors
/// When there is no letter in it.
pub fn clean(title: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(title);
    let cleaned = cleaned.trim_matches(|c: char| matches!(c, ',' | ';' | ' ' | '-' | '|'));
    if !cleaned.chars().any(char::is_alphabetic) {
        return Err(Unreadable::new("not a job title"));
    }
    Ok(cleaned.split(' ').map(expand).collect::<Vec<_>>().join(" "))
}

/// One word, its punctuation kept: `vp,` → `vice president,`.
fn expand(word: &str) -> String {
    let core = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
    let dotless: String = core.chars().filter(|c| *c != '.').collect();
    match ABBREVIATIONS.get(dotless.as_str()) {
        Some(full) => {
            let (before, after) = word.split_once(core).unwrap_or(("", ""));
            let after = after.strip_prefix('.').unwrap_or(after);
            format!("{before}{full}{after}")
        }
        None => word.to_owned(),
    }
}
