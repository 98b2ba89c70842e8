//! Countries: a name leads to itself, a code to the same country.
#![no_main]

use normalize::country;

libfuzzer_sys::fuzz_target!(|input: &str| {
    if let Ok(found) = country::clean(input) {
        assert_eq!(country::clean(found.full_name), Ok(found));
        assert_eq!(country::clean(found.code), Ok(found));
        assert!(country::continent(found.code).is_some());
    }
});
