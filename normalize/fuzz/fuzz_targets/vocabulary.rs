//! The closed lists: a listed value stays what it is.
#![no_main]

use normalize::vocabulary;

libfuzzer_sys::fuzz_target!(|input: &str| {
    for map in [
        vocabulary::industry,
        vocabulary::company_type,
        vocabulary::company_size,
        vocabulary::seniority_level,
        vocabulary::job_function,
    ] {
        let mapped = map(input);
        if mapped.known {
            assert_eq!(map(&mapped.value).value, mapped.value);
        }
    }
    let _ = vocabulary::job_function_of(None, Some(input));
});
