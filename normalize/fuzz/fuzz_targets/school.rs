//! Names, websites and domains of schools.
#![no_main]

use normalize::school;

libfuzzer_sys::fuzz_target!(|input: &str| {
    normalize_fuzz::assert_settled(input, school::clean);
    let _ = school::kind(input);
});
