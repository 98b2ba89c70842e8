//! Topics: names, settings, and the order that the store relies on.

use std::collections::BTreeSet;

use events_schema::topics::{self, Retention, Topic};

#[test]
fn topics_have_names_of_their_own() {
    let specs = topics::all();
    let names: BTreeSet<_> = specs.iter().map(|spec| spec.name).collect();
    assert_eq!(names.len(), specs.len());
}

#[test]
fn event_topics_keep_everything_and_the_values_of_reports_are_compacted() {
    for spec in topics::all() {
        let compacted = spec.name.starts_with("report-");
        let expected = if compacted {
            Retention::NewestByKey
        } else {
            Retention::Everything
        };
        assert_eq!(spec.retention, expected, "{}", spec.name);
    }
}

#[test]
fn the_stored_order_of_topics_never_changes() {
    let order = Topic::ALL.map(Topic::name);
    assert_eq!(
        order,
        ["accounts.v1", "credits.v1", "reports.v1", "builds.v1"]
    );
    for (place, topic) in Topic::ALL.into_iter().enumerate() {
        assert_eq!(topic.index(), place);
        assert_eq!(Topic::by_name(topic.name()), Some(topic));
    }
}
