//! docs/GUARANTEES.md names the test that tries each promise: each of them is there.

use std::collections::BTreeSet;
use std::path::Path;

use tests::servers::checkout;

use crate::deployment::read;

/// Names of all functions in the `.rs` files of a folder and those below it.
fn functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            functions(&path, names);
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let behind = text.split("fn ").skip(1);
            names.extend(behind.filter_map(|rest| Some(rest.split_once('(')?.0.to_owned())));
        }
    }
}

#[test]
fn every_test_that_a_promise_names_is_there() {
    let page = read("docs/GUARANTEES.md");
    // Every second piece stands in backticks; what has so many words is no field and no setting.
    let is_test = |name: &&str| {
        let is_sign =
            |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
        name.matches('_').count() >= 3 && name.chars().all(is_sign)
    };
    let named: BTreeSet<&str> = page.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 50, "{}", named.len());
    let mut names = BTreeSet::new();
    functions(checkout(), &mut names);
    let missing: Vec<&str> = named
        .into_iter()
        .filter(|name| !names.contains(*name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
