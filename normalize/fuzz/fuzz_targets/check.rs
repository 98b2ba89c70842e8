//! What the utilities say: a suggestion is always a value that its field reads.
#![no_main]

use normalize::check::{self, Field};

libfuzzer_sys::fuzz_target!(|input: &str| {
    for field in Field::ALL {
        let _ = check::warnings(field, input, "US");
        if let Err(refusal) = check::clean(field, input, "US")
            && let Some(meant) = refusal.suggestion
        {
            assert!(check::clean(field, &meant, "US").is_ok(), "{field:?} {meant}");
        }
    }
});
