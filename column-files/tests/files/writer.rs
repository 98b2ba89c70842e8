//! What a writer refuses and what it leaves behind.

use std::fs;
use std::time::{Duration, Instant};

use column_files::{FileEntry, WriteFault, Writer, WriterOptions};
use events_schema::record::RecordKind;
use sha2::Digest;

use crate::documents::documents;
use crate::folder::Folder;

const MEMORY: usize = 1 << 20;

#[test]
fn the_same_documents_give_the_same_bytes() {
    for kind in RecordKind::ALL {
        let (one, other, documents) = (Folder::new(), Folder::new(), documents(kind, 200, 21));
        let manifest = one.write(kind, &documents, MEMORY).unwrap();
        assert_eq!(
            manifest,
            other.write(kind, &documents, 64 * MEMORY).unwrap()
        );
        for FileEntry {
            name,
            bytes,
            sha256,
        } in manifest.files
        {
            let (one, other) = (
                fs::read(one.files().join(&name)).unwrap(),
                fs::read(other.files().join(&name)).unwrap(),
            );
            assert!(one == other, "{name}");
            assert_eq!(u64::try_from(one.len()).unwrap(), bytes);
            assert_eq!(hex::encode(sha2::Sha256::digest(&one)), sha256);
        }
    }
}

#[test]
fn the_manifest_names_all_files_by_plain_names_and_the_spool_is_gone() {
    for kind in RecordKind::ALL {
        let folder = Folder::new();
        let manifest = folder
            .write(kind, &documents(kind, 300, 4), MEMORY)
            .unwrap();
        let mut there: Vec<_> = fs::read_dir(folder.files())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        assert_eq!(
            there,
            manifest
                .files
                .iter()
                .map(|file| file.name.clone())
                .collect::<Vec<_>>()
        );
        assert!(manifest.files.iter().all(FileEntry::has_plain_name));
        assert!(!folder.path().join("spool").exists());
    }
}

#[test]
fn a_name_of_very_many_forms_takes_no_longer_than_its_length() {
    let (folder, begun) = (Folder::new(), Instant::now());
    let forms: Vec<String> = (0..200_000)
        .map(|form| format!("\"form {form}\""))
        .collect();
    let document = format!("{{\"name\":{{\"raw\":[{}]}}}}", forms.join(","));
    let mut writer = folder.writer(RecordKind::Company, MEMORY);
    writer.push(document.as_bytes()).unwrap();
    // Each compared with each they took minutes.
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let folder = Folder::new();
    let mut writer = folder.writer(RecordKind::Person, 0);
    for document in documents(RecordKind::Person, 50, 8) {
        writer.push(&document).unwrap();
    }
    drop(writer);
    assert!(!folder.path().join("spool").exists());
    assert_eq!(fs::read_dir(folder.files()).unwrap().count(), 0);
}

#[test]
fn an_interrupted_write_can_be_repeated_in_its_folder() {
    let (folder, documents) = (Folder::new(), documents(RecordKind::Company, 30, 5));
    let manifest = folder
        .write(RecordKind::Company, &documents, MEMORY)
        .unwrap();
    // As a killed process leaves them: some files cut short, and a spool.
    fs::write(folder.files().join(&manifest.files[0].name), b"cut").unwrap();
    fs::create_dir_all(folder.path().join("spool")).unwrap();
    fs::write(folder.path().join("spool/codes-3.spool"), b"x").unwrap();
    assert_eq!(
        folder
            .write(RecordKind::Company, &documents, MEMORY)
            .unwrap(),
        manifest
    );
    folder.open(&manifest);
}

#[test]
fn a_folder_with_other_files_is_refused_and_left_alone() {
    for place in ["files", "spool"] {
        let folder = Folder::new();
        let other = folder.path().join(place).join("letter.txt");
        fs::create_dir_all(folder.path().join(place)).unwrap();
        fs::write(&other, b"dear").unwrap();
        let options = WriterOptions {
            memory_bytes: MEMORY,
            spool: folder.path().join("spool"),
        };
        let refused = Writer::create(&folder.files(), RecordKind::Person, options);
        assert!(matches!(refused, Err(WriteFault::Io(_))), "{place}");
        assert_eq!(fs::read(other).unwrap(), b"dear");
    }
}

#[test]
fn a_document_of_another_form_is_named_by_its_row() {
    let wrong = [
        "",
        "[]",
        "1",
        "{",
        r#"{"full_name":1}"#,
        r#"{"full_name":"a"} x"#,
        r#"{"full_name":"a","full_name":"b"}"#,
        r#"{"emails":{}}"#,
        r#"{"emails":[1]}"#,
        r#"{"age":"7"}"#,
        r#"{"age":1.5}"#,
        r#"{"is_decision_maker":"true"}"#,
        r#"{"headline":"text"}"#,
        r#"{"full_name":"\ud800"}"#,
        r#"{"avg_tenure_months":1e999}"#,
        r#"{"skills":["rust"]}"#,
        r#"{"emails":[{"hash_md5":"a","hash_md5":"b"}]}"#,
        r#"{"emails":[{"address":"a"}"#,
        r#"{"unknown":]}"#,
    ];
    let not_utf8 = [b"{\"full_name\":\"".as_slice(), &[0xFF], b"\"}"].concat();
    for document in wrong
        .iter()
        .map(|text| text.as_bytes())
        .chain([not_utf8.as_slice()])
    {
        let folder = Folder::new();
        let mut writer = folder.writer(RecordKind::Person, MEMORY);
        writer.push(b"{}").unwrap();
        let text = String::from_utf8_lossy(document);
        assert!(
            matches!(writer.push(document), Err(WriteFault::Document { row: 1 })),
            "{text}"
        );
        assert!(
            matches!(writer.push(b"{}"), Err(WriteFault::Document { row: 1 })),
            "{text}"
        );
        assert!(
            matches!(writer.finish(), Err(WriteFault::Document { row: 1 })),
            "{text}"
        );
        assert_eq!(fs::read_dir(folder.files()).unwrap().count(), 0, "{text}");
    }
}
