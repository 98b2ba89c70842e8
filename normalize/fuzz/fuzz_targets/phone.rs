//! Phone numbers, read as of a region that the input begins with.
#![no_main]

use normalize::phone;
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    let region = input.get(..2).unwrap_or("US");
    let _ = phone::is_region(region);
    for region in [region, "US"] {
        assert_settled(input, |text| phone::clean(text, region));
    }
    let _ = phone::assess(input);
});
