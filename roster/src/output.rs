//! The one place that prints. Answers go to stdout, everything else to stderr.

#![allow(clippy::print_stdout)]

use std::io::{ErrorKind, IsTerminal, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The most names that are listed on one line.
const MAX_NAMED: usize = 20;

/// How answers are shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    /// An answer: the document itself, or what `human` makes of it. A fault where it cannot be written to its end.
    pub(crate) fn answer<T: Serialize>(
        self,
        document: &T,
        human: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        let text = if self.json {
            serde_json::to_string_pretty(document)
                .map_err(|fault| Failure::internal(fault.to_string()))?
        } else {
            human(document)
        };
        let mut stdout = std::io::stdout().lock();
        let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
        match written {
            // A reader that has gone (`| head`) is not a fault of the command.
            Err(fault) if fault.kind() != ErrorKind::BrokenPipe => Err(not_written(&fault)),
            _ => Ok(()),
        }
    }

    /// A list under `key`, as a table of these columns; where every item is unreadable, it says so.
    pub(crate) fn list(self, document: &Value, key: &str, columns: &[&str]) -> Result<(), Failure> {
        self.answer(document, |document| {
            let rows = document.get(key).and_then(Value::as_array);
            if rows.is_none_or(Vec::is_empty) && !unreadable(document).is_empty() {
                return "none that can be read".to_owned();
            }
            table(rows, columns)
        })
    }

    /// One object, a line a key.
    pub(crate) fn record(self, document: &Value) -> Result<(), Failure> {
        self.answer(document, record)
    }

    pub(crate) fn failure(self, failure: &Failure) {
        if self.json {
            if let Ok(text) = serde_json::to_string(failure) {
                tell(&text);
            }
        } else {
            tell(&failure.to_string());
        }
    }

    /// Something the user should know beside the answer. With `--json` stderr is left to the error body.
    pub(crate) fn note(self, text: &str) {
        if !self.json {
            tell(text);
        }
    }

    /// Names what a list could not show. With `--json` it stands in the list.
    pub(crate) fn note_unreadable(self, listed: &Value, what: &str) {
        let ids = unreadable(listed);
        if !ids.is_empty() {
            let ids = named(&ids);
            self.note(&format!(
                "not shown, since what the event store holds of them cannot be read ({what}): {ids}"
            ));
        }
    }

    /// Whether a bar that redraws itself can be shown.
    pub(crate) fn has_terminal(self) -> bool {
        std::io::stderr().is_terminal()
    }
}

/// What a list could not show.
pub(crate) fn unreadable(listed: &Value) -> Vec<&str> {
    texts(listed, "unreadable")
}

/// The texts in the list under `key`.
pub(crate) fn texts<'a>(document: &'a Value, key: &str) -> Vec<&'a str> {
    let list = document.get(key).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Names one after the other; of very many the first ones and how many more there are.
pub(crate) fn named(names: &[&str]) -> String {
    let (shown, rest) = names.split_at(names.len().min(MAX_NAMED));
    let shown = shown.join(", ");
    match rest.len() {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A line on stderr. The command goes on even if stderr is closed; its exit code says how it ended.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn not_written(fault: &std::io::Error) -> Failure {
    let message = format!(
        "What was asked is done, but the answer could not be written to its end: {fault}. What only the answer says is lost."
    );
    Failure::refused("answer_not_written", message, json!({}))
}

/// Columns as wide as their widest cell; lists that are empty say so.
pub(crate) fn table(rows: Option<&Vec<Value>>, columns: &[&str]) -> String {
    let rows = rows.map_or(&[][..], Vec::as_slice);
    if rows.is_empty() {
        return "none".to_owned();
    }
    let header: Vec<String> = columns.iter().map(|c| c.to_uppercase()).collect();
    let cells = rows
        .iter()
        .map(|row| columns.iter().map(|c| cell(row.get(*c))).collect());
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(cells).collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|n| {
            lines
                .iter()
                .filter_map(|line| line.get(n))
                .map(|c| c.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let shown = lines.iter().map(|line| {
        let padded = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// A line a key, values of one column.
pub(crate) fn record(document: &Value) -> String {
    let Some(map) = document.as_object() else {
        return cell(Some(document));
    };
    let width = map.keys().map(|key| key.chars().count()).max().unwrap_or(0);
    let lines = map
        .iter()
        .map(|(key, value)| format!("{key:<width$}  {}", cell(Some(value))));
    lines.collect::<Vec<_>>().join("\n")
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => on_one_line(text),
        Some(other) => on_one_line(&other.to_string()),
    }
}

/// Text of somebody else's for a terminal: a line break, an escape or a change of the direction of writing is shown, not carried out.
fn on_one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || turns {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_break_a_line_or_paint_the_terminal() {
        let name = json!("a\nb\u{1b}[31mred");
        assert_eq!(cell(Some(&name)), "a\\nb\\u{1b}[31mred");
        let details = json!({"comment": "\u{9b}31m\u{202e}x"});
        assert_eq!(cell(Some(&details)), r#"{"comment":"\u{9b}31m\u{202e}x"}"#);
    }

    #[test]
    fn a_table_is_as_wide_as_its_widest_cells() {
        let rows = vec![
            json!({"build": "2026.11.1-person", "rows": 7}),
            json!({"build": "x", "rows": null}),
        ];
        assert_eq!(
            table(Some(&rows), &["build", "rows"]),
            "BUILD             ROWS\n2026.11.1-person  7\nx                 -"
        );
    }

    #[test]
    fn an_empty_list_says_none() {
        assert_eq!(table(None, &["build"]), "none");
    }

    #[test]
    fn of_very_many_names_the_first_are_told_and_how_many_more_there_are() {
        assert_eq!(named(&["a", "b"]), "a, b");
        let many = vec!["a"; MAX_NAMED + 3];
        let told = named(&many);
        assert!(told.ends_with("a, a and 3 more"), "{told}");
        assert_eq!(told.matches('a').count(), MAX_NAMED + 1);
    }

    #[test]
    fn a_record_has_a_line_a_key() {
        let shown = record(&json!({"contract_id": "c", "endpoints": {"only": ["a"]}}));
        assert_eq!(shown, "contract_id  c\nendpoints    {\"only\":[\"a\"]}");
    }
}
