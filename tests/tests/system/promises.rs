//! docs/GUARANTEES.md names the files that keep each promise and the tests that try it: all of them are there. So is each route of
//! docs/ADMIN.md.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

#[test]
fn every_file_that_a_promise_names_is_there() {
    let page = read("docs/GUARANTEES.md");
    let is_there = |path: &Path| checkout().join(path).exists();
    let (mut missing, mut found) = (Vec::new(), 0);
    for keepers in page.split("*Kept by:*") {
        // A file without a folder may stand beside the one that was named before it.
        let mut beside = None;
        let named = keepers.split('`').skip(1).step_by(2);
        for name in named.filter(|name| name.ends_with(".rs") || name.ends_with(".sql")) {
            let ways = [
                Some(Path::new(name).to_owned()),
                Some(Path::new("command-service/src").join(name)),
                beside.as_ref().map(|folder: &PathBuf| folder.join(name)),
            ];
            let path = ways.into_iter().flatten().find(|path| is_there(path));
            match path {
                Some(path) => {
                    beside = path.parent().map(Path::to_owned);
                    found += 1;
                }
                None => missing.push(name.to_owned()),
            }
        }
    }
    assert!(found > 50, "{found} files are named");
    assert!(missing.is_empty(), "not there: {missing:#?}");
}

#[test]
fn the_page_of_the_admin_interface_has_every_route_and_no_other() {
    let routes = |text: &str| -> BTreeSet<String> {
        let quoted = text.split('"').skip(1).step_by(2);
        let routes = quoted.filter(|quoted| quoted.starts_with("/admin/"));
        routes.map(str::to_owned).collect()
    };
    let mut there = routes(&read("command-service/src/http/admin/mod.rs"));
    there.extend(routes(&read("projector/src/http/mod.rs")));
    // The first cell of a row: a method and a route.
    let page = read("docs/ADMIN.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let told: BTreeSet<String> = rows
        .filter_map(|row| row.split_once('`')?.0.split_once(' '))
        .map(|(_, route)| route.to_owned())
        .collect();
    assert!(there.len() > 25, "{}", there.len());
    assert_eq!(told, there);
}
