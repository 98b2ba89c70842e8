//! Names, websites and domains of companies.
#![no_main]

use normalize::company;
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    assert_settled(input, |text| Ok(company::clean(text)?.name));
    let _ = company::is_placeholder(input);
});
