//! docs/GUARANTEES.md names the test that tries each promise: each of them is there.

use std::collections::BTreeSet;
use std::path::Path;

use tests::servers::checkout;

use crate::deployment::read;

/// Names of all tests in the `.rs` files of a folder and those below it.
fn tests_of(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            tests_of(&path, names);
        } else if name.ends_with(".rs") {
            names.extend(tests_in(&std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The functions right below a `#[test]` or `#[tokio::test]`, other attributes and comments between them, that nobody has
/// left out by `#[ignore]`.
fn tests_in(text: &str) -> Vec<String> {
    let (mut is_test, mut is_ignored) = (false, false);
    let mut names = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("#[") {
            is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            is_ignored |= line.starts_with("#[ignore");
            continue;
        }
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let function = line.strip_prefix("async ").unwrap_or(line);
        let function = function
            .strip_prefix("fn ")
            .and_then(|rest| rest.split_once('('));
        names.extend(
            function
                .filter(|_| is_test && !is_ignored)
                .map(|(name, _)| name.to_owned()),
        );
        (is_test, is_ignored) = (false, false);
    }
    names
}

#[test]
fn a_helper_a_comment_and_a_test_that_is_left_out_are_no_tests() {
    let text = "
        #[test]
        #[allow(clippy::unwrap_used)]
        /// Why.
        fn one() {}
        fn helper() {}
        // #[test] fn comment() {}
        #[tokio::test(flavor = \"multi_thread\")]
        async fn two() {}
        #[test]
        #[ignore = \"slow\"]
        fn left_out() {}
        #[test]
        const NOT: () = ();
        fn behind() {}
    ";
    assert_eq!(tests_in(text), ["one", "two"]);
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
    tests_of(checkout(), &mut names);
    let missing: Vec<&str> = named
        .into_iter()
        .filter(|name| !names.contains(*name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
