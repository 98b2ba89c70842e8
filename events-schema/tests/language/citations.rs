//! What comments cite is in the tree: pages of `docs/` with their sections.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::in_crate;

/// Folders without sources of ours.
const SKIPPED: [&str; 3] = ["target", ".git", ".data"];

/// Every Rust file of the workspace.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        if path.is_symlink() || SKIPPED.contains(&name) {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// Headings and bold words of each page, as comments cite them: without backticks.
fn sections() -> BTreeMap<String, Vec<String>> {
    let pages = std::fs::read_dir(in_crate("../docs")).unwrap();
    let pages = pages.map(|page| page.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|kind| kind == "md"));
    pages
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap().replace('`', "");
            let headings = text.lines().filter(|line| line.starts_with('#'));
            let headings = headings.map(|line| line.trim_start_matches('#'));
            let bold = text.split("**").skip(1).step_by(2);
            let names = headings
                .chain(bold)
                .map(|name| name.trim_matches([' ', '.', ':']));
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, names.map(str::to_owned).collect())
        })
        .collect()
}

/// Pages that a line cites, each with the section if one follows: `docs/SEARCH.md`, "Search files".
fn cited(line: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    line.split("docs/").skip(1).filter_map(|rest| {
        let end = rest.find(".md")? + ".md".len();
        let (page, rest) = rest.split_at(end);
        let rest = rest.trim_start_matches('`');
        let section = rest
            .strip_prefix(", \"")
            .and_then(|rest| rest.split_once('"'));
        Some((page, section.map(|(section, _)| section)))
    })
}

#[test]
fn every_page_and_section_that_a_comment_cites_is_there() {
    let sections = sections();
    let mut files = Vec::new();
    sources(&in_crate(".."), &mut files);
    let mut count = 0;
    let mut missing = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text
            .lines()
            .filter(|line| line.trim_start().starts_with("//"))
        {
            for (page, section) in cited(line) {
                count += 1;
                let is_there = match sections.get(page) {
                    Some(names) => section.is_none_or(|section| {
                        let section = section.replace('`', "");
                        names.contains(&section)
                    }),
                    None => in_crate("../docs").join(page).exists(),
                };
                if !is_there {
                    missing.push(format!("{}: {line}", path.display()));
                }
            }
        }
    }
    assert!(count > 100, "{count}");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
