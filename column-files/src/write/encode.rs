//! Values as bytes whose order is that of the values: so that one sort serves all types.

use std::borrow::Cow;

use dialect::fold;

use super::scanner::Malformed;

/// Before the 16 bytes of a UUID.
pub(super) const UUID_TAG: u8 = 1;
/// Before the text of an id that is no UUID.
pub(super) const TEXT_TAG: u8 = 2;

/// The text as it is compared; most texts are already.
#[inline]
pub(super) fn folded(text: &[u8]) -> Result<Cow<'_, [u8]>, Malformed> {
    let changes = |all: bool, byte: &u8| all | byte.is_ascii_uppercase() | !byte.is_ascii();
    if !text.iter().fold(false, changes) {
        return Ok(Cow::Borrowed(text));
    }
    let text = std::str::from_utf8(text).map_err(|_| Malformed)?;
    Ok(Cow::Owned(fold(text).into_bytes()))
}

/// A whole number, also when it was written with a point.
pub(super) fn integer(text: &str) -> Result<i64, Malformed> {
    /// From here on a float may stand for several whole numbers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let number: f64 = text.parse().map_err(|_| Malformed)?;
    if number.fract() != 0.0 || number.abs() > EXACT {
        return Err(Malformed);
    }
    format!("{number:.0}").parse().map_err(|_| Malformed)
}

/// Eight bytes in the order of the numbers.
pub(super) const fn sortable_integer(number: i64) -> [u8; 8] {
    (number ^ i64::MIN).to_be_bytes()
}

/// The number again.
pub(super) const fn integer_of(bytes: [u8; 8]) -> i64 {
    i64::from_be_bytes(bytes) ^ i64::MIN
}

/// Eight bytes in the order of `f64::total_cmp`.
pub(super) const fn sortable_number(number: f64) -> [u8; 8] {
    let bits = number.to_bits();
    let is_negative = bits >> 63 == 1;
    (if is_negative { !bits } else { bits | 1 << 63 }).to_be_bytes()
}

/// The number again.
pub(super) const fn number_of(bytes: [u8; 8]) -> f64 {
    let bits = u64::from_be_bytes(bytes);
    f64::from_bits(if bits >> 63 == 1 {
        bits & !(1 << 63)
    } else {
        !bits
    })
}

/// The bytes of a UUID in its usual form, lower case.
pub(super) fn uuid(text: &[u8]) -> Option<[u8; 16]> {
    let text: &[u8; 36] = text.try_into().ok()?;
    let mut id = [0; 16];
    let mut to = id.iter_mut();
    let mut high = None;
    for (at, byte) in text.iter().enumerate() {
        let digit = match (at, byte) {
            (8 | 13 | 18 | 23, b'-') => continue,
            (8 | 13 | 18 | 23, _) => return None,
            (_, b'0'..=b'9') => byte - b'0',
            (_, b'a'..=b'f') => byte - b'a' + 10,
            _ => return None,
        };
        match high.take() {
            None => high = Some(digit << 4),
            Some(high) => *to.next()? = high | digit,
        }
    }
    Some(id)
}

/// The usual form of a UUID.
pub(super) fn uuid_text(id: &[u8], text: &mut Vec<u8>) {
    let digit = |value: u8| {
        if value < 10 {
            b'0' + value
        } else {
            b'a' + value - 10
        }
    };
    for (at, byte) in id.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push(b'-');
        }
        text.extend_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_keep_their_order_as_bytes(a: i64, b: i64, x: f64, y: f64) {
            prop_assert_eq!(a.cmp(&b), sortable_integer(a).cmp(&sortable_integer(b)));
            prop_assert_eq!(x.total_cmp(&y), sortable_number(x).cmp(&sortable_number(y)));
            prop_assert_eq!(integer_of(sortable_integer(a)), a);
            prop_assert_eq!(number_of(sortable_number(x)).to_bits(), x.to_bits());
        }

        #[test]
        fn uuids_are_read_as_they_are_written(id: [u8; 16]) {
            let mut text = Vec::new();
            uuid_text(&id, &mut text);
            prop_assert_eq!(uuid(&text), Some(id));
        }
    }

    #[test]
    fn what_is_no_uuid_is_text() {
        for text in [
            "",
            "0191d6a40000000000000000000000000000",
            "0191d6a4-0000-0000-0000-00000000000g",
        ] {
            assert_eq!(uuid(text.as_bytes()), None);
        }
    }

    #[test]
    fn whole_numbers_may_have_a_point() {
        assert_eq!(integer("12"), Ok(12));
        assert_eq!(integer("-3.0"), Ok(-3));
        assert_eq!(integer("1e3"), Ok(1_000));
        for text in ["", "1.5", "1e300", "x"] {
            assert_eq!(integer(text), Err(Malformed));
        }
    }
}
