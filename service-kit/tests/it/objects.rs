//! The object store over a folder of its own.

use std::path::PathBuf;

use service_kit::objects::{Objects, ObjectsFault, PART_BYTES};
use uuid::Uuid;

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("objects_{}", Uuid::new_v4().simple()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn store(&self) -> Objects {
        Objects::open(&format!("file://{}", self.0.join("store").display())).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_file_of_several_parts_comes_back_as_it_was() {
    let folder = Folder::new();
    let objects = folder.store();
    let (source, target) = (folder.0.join("source"), folder.0.join("target"));
    for length in [0, 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES + 17] {
        let bytes: Vec<u8> = (0..length).map(|n| (n % 251) as u8).collect();
        std::fs::write(&source, &bytes).unwrap();
        let size = objects.write_file("a/b/c.bin", &source).await.unwrap();
        assert_eq!(size, length as u64);
        let most = length as u64;
        let read = objects.read_to_file("a/b/c.bin", &target, most).await;
        let read = read.unwrap();
        assert_eq!(read, Some(length as u64));
        assert!(std::fs::read(&target).unwrap() == bytes, "{length} bytes");
        let whole = objects.read("a/b/c.bin").await.unwrap().unwrap();
        assert!(whole == bytes, "{length} bytes");
    }
    assert_eq!(objects.list("a").await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_object_that_comes_piece_by_piece_is_there_when_it_has_ended_and_not_before() {
    let folder = Folder::new();
    let objects = folder.store();
    let mut begun = objects.begin("a/b").await.unwrap();
    begun.write(&vec![1; PART_BYTES + 1]).await.unwrap();
    begun.write(&[2]).await.unwrap();
    assert!(!objects.has("a/b").await.unwrap());
    begun.end().await.unwrap();
    assert!(objects.has("a/b").await.unwrap());
    let whole = objects.read("a/b").await.unwrap().unwrap();
    assert_eq!((whole.len(), whole.last()), (PART_BYTES + 2, Some(&2)));
    let mut given_up = objects.begin("a/b").await.unwrap();
    given_up.write(&[3; PART_BYTES]).await.unwrap();
    drop(given_up);
    objects.begin("a/empty").await.unwrap().end().await.unwrap();
    let listed = objects.list("a").await.unwrap();
    let sizes: Vec<u64> = listed.iter().map(|one| one.bytes).collect();
    assert_eq!(sizes, [PART_BYTES as u64 + 2, 0]);
}

#[tokio::test]
async fn an_object_with_more_bytes_than_are_taken_is_refused_before_it_fills_the_disk() {
    let folder = Folder::new();
    let objects = folder.store();
    objects.write("a/b", vec![7_u8; 11]).await.unwrap();
    let target = folder.0.join("target");
    let read = objects.read_to_file("a/b", &target, 10).await;
    assert!(matches!(read, Err(ObjectsFault::TooLong(10))), "{read:?}");
    assert!(!target.exists());
}

#[tokio::test]
async fn what_is_not_there_is_none_and_its_removal_no_fault() {
    let folder = Folder::new();
    let objects = folder.store();
    assert_eq!(objects.read("a/b").await.unwrap(), None);
    let target = folder.0.join("target");
    let read = objects.read_to_file("a/b", &target, 1).await.unwrap();
    assert_eq!(read, None);
    assert!(!target.exists());
    assert!(objects.list("a").await.unwrap().is_empty());
    assert!(objects.prefixes("a").await.unwrap().is_empty());
    objects.remove_prefix("a").await.unwrap();
}

#[tokio::test]
async fn a_prefix_goes_with_what_killed_writes_left_and_its_neighbours_stay() {
    let folder = Folder::new();
    let objects = folder.store();
    for object in ["builds/b/one", "builds/b/two/three", "builds/b-2/one"] {
        objects.write(object, object.to_owned()).await.unwrap();
    }
    // A write that was killed: no name that anybody lists.
    let left = folder.0.join("store/builds/b/killed");
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join("four#1"), "half").unwrap();
    let names = |listed: Vec<service_kit::objects::Listed>| {
        listed.into_iter().map(|l| l.object).collect::<Vec<_>>()
    };
    let listed = names(objects.list("builds/b").await.unwrap());
    assert_eq!(listed, ["builds/b/one", "builds/b/two/three"]);
    let under = objects.prefixes("builds/b").await.unwrap();
    assert_eq!(under, ["builds/b/killed", "builds/b/two"]);
    objects.remove_prefix("builds/b").await.unwrap();
    assert_eq!(
        names(objects.list("builds").await.unwrap()),
        ["builds/b-2/one"]
    );
    assert!(!left.exists());
}

#[tokio::test]
async fn names_that_lead_out_of_the_store_and_empty_ones_are_refused() {
    let folder = Folder::new();
    let objects = folder.store();
    for name in ["../a", "a/../b", "a//b", "a/./b"] {
        let refused = objects.write(name, "x").await.unwrap_err();
        assert!(matches!(refused, ObjectsFault::Store(_)), "{name}");
    }
    for name in ["", "/"] {
        let refused = objects.remove_prefix(name).await.unwrap_err();
        assert!(matches!(refused, ObjectsFault::Address), "{name:?}");
    }
    for address in ["s3://bucket/a", "", "file://"] {
        let refused = Objects::open(address).unwrap_err();
        assert!(matches!(refused, ObjectsFault::Address), "{address:?}");
    }
}

#[tokio::test]
async fn a_missing_source_file_leaves_nothing() {
    let folder = Folder::new();
    let objects = folder.store();
    let missing = folder.0.join("missing");
    let refused = objects.write_file("a/b", &missing).await.unwrap_err();
    assert!(matches!(refused, ObjectsFault::File(_)));
    assert!(objects.list("a").await.unwrap().is_empty());
}
