//! The case files, in one list: what holds for every sentence is tried with all of them.

/// A case a line.
pub(crate) const FILES: &[&str] = &[
    include_str!("../cases/mixed.jsonl"),
    include_str!("../cases/people.jsonl"),
    include_str!("../cases/companies.jsonl"),
    include_str!("../cases/people-hard.jsonl"),
    include_str!("../cases/later.jsonl"),
    include_str!("../cases/once-wrong.jsonl"),
];
