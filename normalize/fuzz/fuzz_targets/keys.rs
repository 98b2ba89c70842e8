//! Keys and comparison: a value agrees with itself, whatever it is.
#![no_main]

use normalize::{compare, keys};

libfuzzer_sys::fuzz_target!(|input: &str| {
    let (a, b) = input.split_once('\n').unwrap_or((input, input));
    let _ = keys::person_name_lookups(a).count();
    let _ = keys::name_context_lookups(a, keys::PersonKey::NameCompany, b);
    let _ = keys::company_name_key(a);
    let _ = keys::school_name_key(a);
    assert_eq!(compare::names(a, b), compare::names(b, a));
    assert_eq!(compare::companies(a, b), compare::companies(b, a));
    assert_eq!(compare::schools(a, b), compare::schools(b, a));
    assert_eq!(compare::places(a, b), compare::places(b, a));
});
