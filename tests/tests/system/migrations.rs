//! A migration that somebody's database has run is never another one: a start would end there, and nobody could go on or back.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};
use tests::servers::checkout;

use crate::deployment::read;

const FOLDERS: [&str; 2] = ["command-service/migrations", "projector/migrations"];
/// As `sha256sum` writes them; a new migration gets a line.
const KNOWN: &str = "tests/tests/system/migrations.sha256";

#[test]
fn a_migration_keeps_its_text_for_ever() {
    let there: BTreeSet<String> = FOLDERS
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(checkout().join(folder)).unwrap())
        .map(|file| {
            let path = file.unwrap().path();
            let digest = hex::encode(Sha256::digest(std::fs::read(&path).unwrap()));
            format!(
                "{digest}  {}",
                path.strip_prefix(checkout()).unwrap().display()
            )
        })
        .collect();
    let known: BTreeSet<String> = read(KNOWN).lines().map(str::to_owned).collect();
    let changed: Vec<&String> = known.difference(&there).collect();
    assert!(
        changed.is_empty(),
        "these are not what they were: {changed:#?}"
    );
    let new: Vec<&String> = there.difference(&known).collect();
    assert!(new.is_empty(), "{KNOWN} lacks these lines: {new:#?}");
}
