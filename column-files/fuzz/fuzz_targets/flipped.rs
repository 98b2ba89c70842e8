//! A flipped bit anywhere is a fault that names the file.
#![no_main]

use column_files::{Columns, OpenFault};
use column_files_fuzz::{choose, with_bytes};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((files, place, rest)) = choose(input) else {
        return;
    };
    let Some(bit) = rest.first_chunk().map(|four| u32::from_le_bytes(*four)) else {
        return;
    };
    let name = &files.manifest.files[place].name;
    let mut bytes = std::fs::read(files.folder.join(name)).expect("a file of this process");
    let bit = bit as usize % (bytes.len() * 8);
    bytes[bit / 8] ^= 1 << (bit % 8);
    with_bytes(
        files,
        place,
        &bytes,
        false,
        |manifest| match Columns::open(&files.folder, manifest) {
            Err(OpenFault::Damaged { file, .. }) => assert_eq!(&file, name),
            other => panic!("bit {bit} of {name}: {other:?}"),
        },
    );
});
