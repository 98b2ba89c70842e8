//! Domains, and the splitting of URLs below them.
#![no_main]

use normalize::{domain, url};
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    assert_settled(input, domain::clean);
    if let Ok(host) = domain::clean(input) {
        let registered = domain::registrable(&host);
        assert!(registered.is_some_and(|part| host.ends_with(part)));
    }
    let tidied = url::tidy(input);
    let _ = url::split(&tidied);
    let _ = url::percent_decode(input);
});
