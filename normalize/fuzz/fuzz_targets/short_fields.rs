//! The fields of one short line: tickers, titles, birth dates and the parts of an address.
#![no_main]

use normalize::{address, birth_date, city, postal_code, ticker, title};
use normalize_fuzz::assert_settled;

libfuzzer_sys::fuzz_target!(|input: &str| {
    assert_settled(input, ticker::clean);
    assert_settled(input, title::clean);
    assert_settled(input, address::clean);
    assert_settled(input, city::clean);
    assert_settled(input, postal_code::clean);
    assert_settled(input, |text| Ok(birth_date::clean(text)?.to_string()));
    let _ = birth_date::in_other_order(input);
});
