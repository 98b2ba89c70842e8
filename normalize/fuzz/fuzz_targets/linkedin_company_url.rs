//! LinkedIn pages of organizations.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    normalize_fuzz::assert_settled(input, normalize::linkedin_company::clean);
});
