//! E-mail addresses and hashes of them.
#![no_main]

use normalize::{email, email_hash};
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    assert_settled(input, |text| Ok(email::clean(text)?.address));
    assert_settled(input, |text| Ok(email::clean(text)?.lowercase));
    assert_settled(input, |text| Ok(email_hash::parse(text)?.hex));
    if let Ok(email) = email::clean(input) {
        let _ = email::is_disposable(email::domain(&email));
        assert_eq!(email::hashes(&email.address).sha256.len(), 64);
    }
});
