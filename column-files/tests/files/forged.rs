//! Files that are not what a writer writes, under a manifest that says so: no panic, no endless loop.

use std::fs;
use std::sync::Arc;

use column_files::{Columns, Manifest};
use events_schema::record::RecordKind;
use serde_json::json;
use sha2::Digest;

use crate::documents::{Random, documents};
use crate::everything::read_everything;
use crate::folder::Folder;
use crate::patterns::address;

/// Makes the manifest fit what is there.
fn forge(manifest: &mut Manifest, folder: &std::path::Path, place: usize) {
    let file = &mut manifest.files[place];
    let bytes = fs::read(folder.join(&file.name)).unwrap();
    file.bytes = u64::try_from(bytes.len()).unwrap();
    file.sha256 = hex::encode(sha2::Sha256::digest(&bytes));
}

#[test]
fn any_bytes_under_a_fitting_manifest_are_read_without_panic() {
    for kind in RecordKind::ALL {
        let folder = Folder::new();
        let manifest = folder
            .write(kind, &documents(kind, 150, 12), 1 << 20)
            .unwrap();
        let places: Vec<usize> = (0..manifest.files.len()).collect();
        spoil(&folder, &manifest, &places, 200, 30);
    }
}

/// Only large dictionaries have signatures and hosts.
#[test]
fn any_bytes_of_hosts_are_read_without_panic() {
    let folder = Folder::new();
    let document = |row| serde_json::to_vec(&json!({ "work_email": address(row) })).unwrap();
    let documents: Vec<Vec<u8>> = (0..9_000).map(document).collect();
    let manifest = folder
        .write(RecordKind::Person, &documents, 1 << 20)
        .unwrap();
    let mut files = manifest.files.iter();
    let place = files.position(|file| file.name == "email.values");
    spoil(&folder, &manifest, &[place.unwrap()], 60, 20);
}

/// Spoils one of these files a round, and reads what can be opened: at least so many times.
fn spoil(folder: &Folder, manifest: &Manifest, places: &[usize], rounds: usize, least: u32) {
    let mut random = Random(4_711);
    let mut opened = 0;
    for round in 0..rounds {
        let place = places[round % places.len()];
        let path = folder.files().join(&manifest.files[place].name);
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        for _ in 0..=random.below(6) {
            let at = usize::try_from(random.below(u64::try_from(bytes.len()).unwrap())).unwrap();
            match random.below(5) {
                0 => bytes[at] = 0xFF,
                1 => bytes[at] = 0,
                // Sizes and offsets stand in the footer.
                2 => {
                    let from_end = bytes.len() - 1 - at % 384.min(bytes.len());
                    bytes[from_end] = bytes[from_end].wrapping_add(64);
                }
                3 if random.below(10) == 0 => bytes.truncate(at + 1),
                _ => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            }
        }
        fs::write(&path, &bytes).unwrap();
        let mut forged = manifest.clone();
        forge(&mut forged, &folder.files(), place);
        if let Ok(columns) = Columns::open(&folder.files(), &forged) {
            opened += 1;
            std::hint::black_box(read_everything(&Arc::new(columns)));
        }
        fs::write(&path, &whole).unwrap();
    }
    // Else this test would read nothing.
    assert!(opened > least, "{opened}");
    assert!(read_everything(&Arc::new(folder.open(manifest))) > 0);
}
