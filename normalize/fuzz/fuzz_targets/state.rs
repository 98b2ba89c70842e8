//! States: a code leads to itself; a name does within its country, since several countries share one.
#![no_main]

use normalize::state;

libfuzzer_sys::fuzz_target!(|input: &str| {
    let country = input.get(..2).unwrap_or("US");
    let _ = state::is_shared(input);
    for country in [None, Some(country)] {
        if let Ok(found) = state::clean(input, country) {
            assert_eq!(state::clean(found.code, None), Ok(found));
            let again = state::clean(found.full_name, Some(found.country_code()));
            assert_eq!(again.map(|state| state.full_name), Ok(found.full_name));
        }
    }
});
