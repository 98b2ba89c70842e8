//! Any bytes under a manifest that names them: overwritten places of a real file, or a file of the input alone.
#![no_main]

use std::sync::Arc;

use column_files::Columns;
use column_files_fuzz::everything::read_everything;
use column_files_fuzz::{choose, with_bytes};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((files, place, rest)) = choose(input) else {
        return;
    };
    let Some((&mode, rest)) = rest.split_first() else {
        return;
    };
    let path = files.folder.join(&files.manifest.files[place].name);
    let mut bytes = if mode % 8 == 0 {
        rest.to_vec()
    } else {
        std::fs::read(path).expect("a file of this process")
    };
    if mode % 8 != 0 {
        // Places are counted from the end, where the footer stands.
        for change in rest.chunks_exact(3) {
            let back = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len().max(1);
            let at = bytes.len() - 1 - back;
            bytes[at] = change[2];
        }
    }
    with_bytes(files, place, &bytes, true, |manifest| {
        if let Ok(columns) = Columns::open(&files.folder, manifest) {
            std::hint::black_box(read_everything(&Arc::new(columns)));
        }
    });
});
