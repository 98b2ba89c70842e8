//! Files that are not what the manifest names.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use column_files::{Columns, FileEntry, Manifest, OpenFault};
use events_schema::record::RecordKind;

use crate::documents::{Random, documents};
use crate::folder::Folder;

fn written() -> (Folder, Manifest) {
    let folder = Folder::new();
    let manifest = folder
        .write(
            RecordKind::Person,
            &documents(RecordKind::Person, 40, 3),
            1 << 20,
        )
        .unwrap();
    (folder, manifest)
}

/// The file that is named as damaged, and why.
fn fault(folder: &Path, manifest: &Manifest) -> (String, &'static str) {
    match Columns::open(folder, manifest) {
        Err(OpenFault::Damaged { file, why }) => (file, why),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_file_is_missed_by_its_name() {
    let (folder, manifest) = written();
    for FileEntry { name, .. } in &manifest.files {
        let (path, aside) = (folder.files().join(name), folder.path().join("aside"));
        fs::rename(&path, &aside).unwrap();
        assert_eq!(
            fault(&folder.files(), &manifest),
            (name.clone(), "it is missing")
        );
        fs::rename(&aside, &path).unwrap();
    }
    folder.open(&manifest);
}

#[test]
fn a_file_that_is_cut_or_goes_on_is_named() {
    let (folder, manifest) = written();
    for FileEntry { name, bytes, .. } in &manifest.files {
        let path = folder.files().join(name);
        let whole = fs::read(&path).unwrap();
        for length in [0, 1, bytes - 1] {
            OpenOptions::new()
                .write(true)
                .open(&path)
                .unwrap()
                .set_len(length)
                .unwrap();
            assert_eq!(
                fault(&folder.files(), &manifest),
                (name.clone(), "it has another length")
            );
        }
        fs::write(&path, &whole).unwrap();
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"x")
            .unwrap();
        assert_eq!(
            fault(&folder.files(), &manifest),
            (name.clone(), "it has another length")
        );
        fs::write(&path, &whole).unwrap();
    }
    folder.open(&manifest);
}

#[test]
fn a_flipped_bit_is_named() {
    let (folder, manifest) = written();
    let mut random = Random(77);
    for FileEntry { name, .. } in &manifest.files {
        let path = folder.files().join(name);
        let whole = fs::read(&path).unwrap();
        for _ in 0..3 {
            let mut flipped = whole.clone();
            let bit =
                usize::try_from(random.below(u64::try_from(whole.len() * 8).unwrap())).unwrap();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &flipped).unwrap();
            assert_eq!(
                fault(&folder.files(), &manifest),
                (name.clone(), "it has other bytes")
            );
        }
        fs::write(&path, &whole).unwrap();
    }
    folder.open(&manifest);
}

#[test]
fn a_manifest_of_other_records_is_refused() {
    let (folder, manifest) = written();
    assert!(matches!(
        Columns::open(
            &folder.files(),
            &Manifest {
                format: 3,
                ..manifest.clone()
            }
        ),
        Err(OpenFault::Format(3))
    ));
    let fewer = Manifest {
        rows: manifest.rows - 1,
        ..manifest.clone()
    };
    assert_eq!(
        fault(&folder.files(), &fewer).1,
        "it belongs to other records"
    );
    let mut incomplete = manifest.clone();
    incomplete.files.retain(|file| file.name != "emails.list");
    assert_eq!(
        fault(&folder.files(), &incomplete),
        ("emails.list".to_owned(), "the manifest does not name it")
    );
    let mut without_values = manifest.clone();
    without_values
        .files
        .retain(|file| file.name != "email.values");
    assert_eq!(
        fault(&folder.files(), &without_values).1,
        "the manifest does not name its values"
    );
    for name in ["../emails.list", "a/b", "", ".hidden"] {
        let mut leading_out = manifest.clone();
        leading_out.files[0].name = name.to_owned();
        assert_eq!(
            fault(&folder.files(), &leading_out),
            (name.to_owned(), "its name is none of a search file")
        );
    }
    folder.open(&manifest);
}

#[test]
fn a_file_under_another_name_is_refused() {
    let (folder, manifest) = written();
    for (one, other) in [
        ("age.column", "emails.type.column"),
        ("emails.list", "phones.list"),
        ("sex.values", "age.values"),
    ] {
        let mut swapped = manifest.clone();
        for file in &mut swapped.files {
            if file.name == one {
                file.name = other.to_owned();
            } else if file.name == other {
                file.name = one.to_owned();
            }
        }
        let rename = |from: &str, to: &str| {
            fs::rename(folder.files().join(from), folder.files().join(to)).unwrap()
        };
        let swap = || {
            rename(one, "aside");
            rename(other, one);
            rename("aside", other);
        };
        swap();
        assert_eq!(fault(&folder.files(), &swapped).1, "it is another file");
        swap();
    }
    folder.open(&manifest);
}
