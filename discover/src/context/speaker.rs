//! Who speaks in a sentence: "I", "as a recruiter I", "for my team", "the user".

use crate::text::Text;

use super::request::names_user;

/// Words with which those who ask speak of themselves.
pub(super) const FIRST_PERSON: &[&str] = &[
    "i", "i'm", "im", "i am", "we", "we're", "we are", "i've", "we've", "i'd", "we'd", "i'll",
    "we'll", "our", "my",
];

/// Whether those who ask speak of themselves there: "we", "I'd", "for my (team)".
pub(super) fn speaks_of_self(text: Text<'_>, at: usize) -> bool {
    let is_own = matches!(text.said(at + 1).as_str(), "a" | "my" | "our");
    is_first_person(text, at) || text.said(at) == "for" && is_own
}

/// "The user (wants)", "as a recruiter at Siemens I (need)": somebody who speaks, other than in the first word.
pub(super) fn other_speaker(text: Text<'_>, at: usize, to: usize) -> Option<usize> {
    if names_user(text, at) {
        return Some(at);
    }
    speaker_behind_role(text, at, to)
}

/// "I", "we're (hiring)", but not "I mean".
pub(super) fn is_first_person(text: Text<'_>, at: usize) -> bool {
    let said = text.said(at);
    // "I mean Florida" tells nothing of the one who asks.
    if matches!(text.said(at + 1).as_str(), "mean" | "meant") {
        return false;
    }
    FIRST_PERSON.iter().any(|first| {
        said.strip_prefix(first)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// The first person, behind what they are or for whom they ask: "as CEO of Siemens I", "on behalf of Siemens we".
fn speaker_behind_role(text: Text<'_>, from: usize, to: usize) -> Option<usize> {
    let next = text.said(from + 1);
    let is_role = match text.said(from).as_str() {
        "as" => !matches!(next.as_str(), "many" | "much" | "few"),
        "being" => true,
        "on" => next == "behalf",
        _ => false,
    };
    let mut behind = from + 1..to;
    is_role
        .then(|| behind.find(|at| is_first_person(text, *at)))
        .flatten()
}
