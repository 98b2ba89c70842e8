//! Names of persons, whole and in parts.
#![no_main]

use normalize::name;
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    assert_settled(input, |text| Ok(name::full(text)?.cleaned));
    assert_settled(input, name::first);
    assert_settled(input, name::last);
    let _ = name::is_placeholder(input);
    let _ = name::nicknames::forms(input);
    let _ = normalize::titlecase::person(input);
});
