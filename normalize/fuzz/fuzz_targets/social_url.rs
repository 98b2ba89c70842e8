//! Social profiles of the four networks, and accounts elsewhere as a data build keeps them.
#![no_main]

use normalize::social;
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    assert_settled(input, |text| Ok(social::clean(text)?.url));
    if let Ok(profile) = social::clean(input) {
        assert_eq!(social::stored(input), Some(profile.url));
    }
});
