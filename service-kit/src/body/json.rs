//! The strict reading of one JSON object.
//!
//! Stricter than `serde_json` alone: a key may stand once in an object (two readers could disagree on which counts),
//! and nesting is bounded (serde_json stops at 128; a request needs far less).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::problem::Problem;

/// Objects and arrays inside one another; the deepest body that any endpoint takes needs 6.
const MAX_DEPTH: usize = 32;

/// Reads `bytes` as one JSON object.
///
/// # Errors
/// 400 `malformed_json` with line and column; never with text of the body.
pub fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        let text = "The body is empty; it must be one JSON object.";
        return Err(Problem::bad_request("malformed_json", text));
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Err(refused(
            "begins with a byte order mark, which JSON does not have",
            1,
            1,
        ));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { depth: 0 }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|fault| malformed(&fault))?;
    match value {
        Value::Object(map) => Ok(map),
        _ => Err(Problem::bad_request(
            "malformed_json",
            "The body must be one JSON object.",
        )),
    }
}

/// Refuses whole numbers of more than 64 bits, which a body that [`parse_object`] has read holds rounded: of what is given back or
/// kept as it came, and by which two bodies are told apart, nobody would get another number than was sent.
///
/// # Errors
/// 400 `malformed_json` with line and column.
pub fn refuse_rounded(bytes: &[u8]) -> Result<(), Problem> {
    let mut left = bytes;
    let mut is_text = false;
    while let [first, rest @ ..] = left {
        match first {
            b'"' => is_text = !is_text,
            // Of an escaped character only the first is looked at: no other is a quote or a backslash.
            b'\\' if is_text => {
                left = rest.get(1..).unwrap_or_default();
                continue;
            }
            b'-' | b'0'..=b'9' if !is_text => {
                let is_of_it =
                    |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
                let length = left.iter().take_while(|byte| is_of_it(byte)).count();
                let (number, rest) = left.split_at(length);
                if is_rounded(number) {
                    let (line, column) = place(bytes, bytes.len() - left.len());
                    return Err(refused(TOO_LONG, line, column));
                }
                left = rest;
                continue;
            }
            _ => {}
        }
        left = rest;
    }
    Ok(())
}

fn is_rounded(number: &[u8]) -> bool {
    let is_whole = !number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    let text = std::str::from_utf8(number).unwrap_or_default();
    is_whole && text.parse::<i64>().is_err() && text.parse::<u64>().is_err()
}

/// Line and column of a byte, both from 1.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or_default();
    let mut lines = before.split(|byte| *byte == b'\n').rev();
    let column = lines.next().map_or(0, <[u8]>::len) + 1;
    (lines.count() + 1, column)
}

fn malformed(fault: &serde_json::Error) -> Problem {
    let what = match fault.to_string() {
        text if text.starts_with(DUPLICATE) => "has a key twice in one object",
        text if text.starts_with(TOO_DEEP) => "is nested too deep",
        text if text.starts_with(OUT_OF_RANGE) => TOO_LONG,
        _ => "is not valid JSON",
    };
    refused(what, fault.line(), fault.column())
}

fn refused(what: &str, line: usize, column: usize) -> Problem {
    let text = format!("The body {what} (line {line}, column {column}).");
    Problem::bad_request("malformed_json", text)
}

/// Of UTF-8 (RFC 8259, 8.1: none is sent).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const DUPLICATE: &str = "duplicate key";
const TOO_DEEP: &str = "nested too deep";
/// Said by `serde_json` of a number that no `f64` holds.
const OUT_OF_RANGE: &str = "number out of range";
const TOO_LONG: &str = "has a number that 64 bits do not hold: send it as a string";

#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            Err(E::custom(TOO_DEEP))
        } else {
            Ok(Self {
                depth: self.depth + 1,
            })
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            let value = access.next_value_seed(inner)?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom(DUPLICATE));
            }
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let problem = parse_object(text.as_bytes()).unwrap_err();
        assert_eq!(
            (problem.status().as_u16(), &problem.details_ref()["reason"]),
            (400, &Value::from("malformed_json"))
        );
        problem.message().to_owned()
    }

    #[test]
    fn an_object_is_read_with_its_keys_in_order() {
        let map =
            parse_object(br#" {"b": [1, -2, 3.5, null], "a": {"x": "y", "t": true}} "#).unwrap();
        assert_eq!(
            serde_json::to_string(&map).unwrap(),
            r#"{"b":[1,-2,3.5,null],"a":{"x":"y","t":true}}"#
        );
    }

    #[test]
    fn an_empty_body_and_a_byte_order_mark_are_called_so() {
        assert!(refusal("").contains("empty") && refusal(" \n").contains("empty"));
        assert!(refusal("\u{feff}{}").contains("byte order mark"));
    }

    #[test]
    fn a_key_given_twice_is_refused_at_any_depth() {
        assert!(refusal(r#"{"a": 1, "a": 1}"#).contains("twice"));
        assert!(refusal(r#"{"a": [{"b": 1, "b": 2}]}"#).contains("twice"));
    }

    #[test]
    fn nesting_above_the_bound_is_refused_and_at_the_bound_is_read() {
        let nested = |depth: usize| {
            format!(
                r#"{{"a":{}{}}}"#,
                "[".repeat(depth - 1),
                "]".repeat(depth - 1)
            )
        };
        assert!(parse_object(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert!(refusal(&nested(MAX_DEPTH + 1)).contains("too deep"));
        assert!(refusal(&nested(100_000)).contains("too deep"));
    }

    #[test]
    fn a_number_that_would_be_rounded_is_refused_with_its_place() {
        assert!(refusal("{\"a\": 1e400}").contains("64 bits"));
        for (body, place) in [
            ("{\"a\": 18446744073709551616}", "line 1, column 7"),
            ("{\"a\":\n [-9223372036854775809]}", "line 2, column 3"),
            (
                r#"{"a\"": "\\", "b": 123456789012345678901}"#,
                "line 1, column 20",
            ),
        ] {
            assert!(parse_object(body.as_bytes()).is_ok());
            let problem = refuse_rounded(body.as_bytes()).unwrap_err();
            assert!(
                problem.message().contains(place),
                "{body}: {}",
                problem.message()
            );
        }
        for body in [
            "{}",
            r#"{"a": [18446744073709551615, -9223372036854775808, 0, 1e30, 12345678901234567890.5]}"#,
            r#"{"18446744073709551616": "-9223372036854775809 \"18446744073709551616"}"#,
            r#"{"a": "\\", "b": "18446744073709551616"}"#,
        ] {
            parse_object(body.as_bytes()).unwrap();
            refuse_rounded(body.as_bytes()).unwrap();
        }
    }

    #[test]
    fn what_is_no_object_or_has_text_after_it_is_refused() {
        for text in [
            "",
            "null",
            "[]",
            "\"a\"",
            "{} {}",
            "{",
            "{\"a\":}",
            "{'a':1}",
            "\u{feff}{}",
            "{\"a\": NaN}",
        ] {
            refusal(text);
        }
        assert!(parse_object(b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn a_refusal_shows_the_place_but_no_text_of_the_body() {
        let message = refusal("{\n  \"email\": maya@example.com}");
        assert!(
            message.contains("line 2") && !message.contains("maya"),
            "{message}"
        );
    }
}
