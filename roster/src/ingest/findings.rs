//! What the user is told of a load beside its result: what did not become part of a record, in counts by field.

use std::collections::BTreeMap;

use events_schema::api::admin::BuildView;

use crate::output::{Output, named};

/// Fields that are named on one line; `roster builds report` has all.
const MOST_FIELDS: usize = 8;

/// Names the columns of the file that the map, or the header, leaves out.
pub(super) fn note_left_out(columns: &[String], output: Output) {
    let columns: Vec<String> = columns.iter().map(|name| format!("{name:?}")).collect();
    if !columns.is_empty() {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        output.note(&format!("columns that go nowhere: {}", named(&columns)));
    }
}

/// Says what of the file is in no record, or is there as it was given.
pub(super) fn note_found(build: &BuildView, output: Output) {
    for line in lines(build) {
        output.note(&line);
    }
}

fn lines(build: &BuildView) -> Vec<String> {
    let Some(report) = &build.report else {
        return Vec::new();
    };
    let unknown = report.unknown + report.unknown_keys.values().sum::<u64>();
    let mut lines = Vec::new();
    if !report.unreadable.is_empty() {
        let fields = by_field(&report.unreadable);
        lines.push(format!("could not be read, left out: {fields}"));
    }
    if unknown > 0 {
        lines.push(format!("keys that no record has, left out: {unknown}"));
    }
    if !report.unlisted.is_empty() {
        let fields = by_field(&report.unlisted);
        lines.push(format!("in no closed list, kept as given: {fields}"));
    }
    if !lines.is_empty() {
        let build = &build.build;
        lines.push(format!("more of this: roster builds report {build}"));
    }
    lines
}

/// The fields with the largest counts, and how many more there are.
fn by_field(counts: &BTreeMap<String, u64>) -> String {
    let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
    counts.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let shown = counts.iter().take(MOST_FIELDS);
    let shown: Vec<String> = shown
        .map(|(field, count)| format!("{field} {count}"))
        .collect();
    let shown = shown.join(", ");
    match counts.len().saturating_sub(MOST_FIELDS) {
        0 => shown,
        more => format!("{shown} and {more} more fields"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(report: serde_json::Value) -> Vec<String> {
        let build = json!({"build": "b1", "kind": "person", "status": "loaded", "rows": 3, "rejected": 0,
            "rejects_object": null, "reference_date": null, "created_at": "2026-11-01T00:00:00Z", "staged": {},
            "sealed": true, "reason": null, "report": report, "search_files": null});
        lines(&serde_json::from_value(build).unwrap())
    }

    #[test]
    fn what_was_left_out_is_told_by_field_the_most_of_it_first() {
        let report = json!({"unreadable": {"birth_date": 2, "emails.address": 7}, "unknown": 5, "unlisted": {"industry": 1}});
        assert_eq!(
            told(report),
            [
                "could not be read, left out: emails.address 7, birth_date 2",
                "keys that no record has, left out: 5",
                "in no closed list, kept as given: industry 1",
                "more of this: roster builds report b1",
            ]
        );
        let many: BTreeMap<String, u64> = (0..10).map(|n| (format!("f{n}"), 1)).collect();
        assert!(told(json!({"unreadable": many}))[0].ends_with("f7 1 and 2 more fields"));
    }

    #[test]
    fn where_everything_went_into_records_nothing_is_told() {
        assert_eq!(told(json!({})), Vec::<String>::new());
        assert_eq!(told(json!(null)), Vec::<String>::new());
    }
}
