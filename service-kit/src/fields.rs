//! A strict reader of one flat JSON object that reports every fault of it at once.
//!
//! The rules are those of `docs/API.md`: an unknown key is 400 `unknown_parameter`, a missing required one 400
//! `missing_parameter`, a known one of wrong type, range or format 422 `validation_error`. `null` is absent. Getters
//! answer with the value or its default and note the fault; [`Fields::finish`] says whether there was one, 400 first.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::problem::{Problem, VALIDATION_ERROR};

/// Characters of a refused value that are shown back to its sender.
const SHOWN_CHARS: usize = 200;
/// Names that a sentence lists, and characters of each.
const MAX_NAMES: usize = 5;
const NAME_CHARS: usize = 64;

/// The reader of one object; read each field once, then [`Fields::finish`].
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    accepted: &'static [&'static str],
    missing: Vec<&'static str>,
    missing_one_of: &'static [&'static str],
    faults: Vec<Value>,
}

impl<'a> Fields<'a> {
    /// A reader of `map` that takes only the keys in `accepted`.
    pub fn new(map: &'a Map<String, Value>, accepted: &'static [&'static str]) -> Self {
        Self {
            map,
            accepted,
            missing: Vec::new(),
            missing_one_of: &[],
            faults: Vec::new(),
        }
    }

    /// The value as it came, without any check; `None` when absent or null.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// Whether the field is there and not null.
    pub fn is_given(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// A text of 1 to `max_chars` characters. A text that is empty or only white space is given, and refused.
    /// The value is handed out as it came, untrimmed. A NUL character is refused: no text column can hold it.
    pub fn string(&mut self, name: &'static str, max_chars: usize) -> Option<&'a str> {
        self.text(name, max_chars, Some("leave the field out"))
    }

    /// A text; `if_empty` is what to do about an empty one.
    fn text(
        &mut self,
        name: &'static str,
        max_chars: usize,
        if_empty: Option<&str>,
    ) -> Option<&'a str> {
        let value = self.value(name)?;
        let Value::String(text) = value else {
            return self.refuse(name, "must be a string", None);
        };
        if text.trim().is_empty() {
            return self.refuse(name, "must not be empty", if_empty);
        }
        if text.contains('\0') {
            return self.refuse(name, "must not contain a NUL character", None);
        }
        if text.chars().nth(max_chars).is_some() {
            return self.refuse(
                name,
                &format!("must be at most {max_chars} characters"),
                None,
            );
        }
        Some(text)
    }

    /// As [`Fields::string`], but absence is noted as a missing parameter; `""` is handed out after any fault.
    pub fn required_string(&mut self, name: &'static str, max_chars: usize) -> &'a str {
        self.require(name);
        self.text(name, max_chars, None).unwrap_or_default()
    }

    /// Notes that `name` is missing if it is absent or null.
    pub fn require(&mut self, name: &'static str) {
        if !self.is_given(name) {
            self.missing.push(name);
        }
    }

    /// Notes that one of `names` is missing if none of them is given.
    pub fn require_one_of(&mut self, names: &'static [&'static str]) {
        if !names.iter().any(|name| self.is_given(name)) {
            self.missing_one_of = names;
        }
    }

    /// A JSON boolean; `"true"` is no boolean.
    pub fn boolean(&mut self, name: &'static str, default: bool) -> bool {
        match self.value(name) {
            None => default,
            Some(Value::Bool(value)) => *value,
            Some(_) => self
                .refuse(name, "must be true or false", None)
                .unwrap_or(default),
        }
    }

    /// A whole number within `range`; `10.0` and `"10"` are none.
    pub fn integer(&mut self, name: &'static str, range: RangeInclusive<i64>, default: i64) -> i64 {
        self.optional_integer(name, range).unwrap_or(default)
    }

    /// A whole number within `range`, or `None` when absent.
    pub fn optional_integer(
        &mut self,
        name: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<i64> {
        let value = self.value(name)?;
        if !(value.is_i64() || value.is_u64()) {
            return self.refuse(name, "must be a whole number", None);
        }
        match value.as_i64().filter(|number| range.contains(number)) {
            Some(number) => Some(number),
            None => {
                let (low, high) = range.into_inner();
                self.refuse(name, &format!("must be from {low} to {high}"), None)
            }
        }
    }

    /// One of a closed list of words, exactly as they stand there.
    pub fn one_of(
        &mut self,
        name: &'static str,
        words: &[&'static str],
        default: &'static str,
    ) -> &'static str {
        self.optional_one_of(name, words).unwrap_or(default)
    }

    /// One of a closed list of words, or `None` when absent.
    pub fn optional_one_of(
        &mut self,
        name: &'static str,
        words: &[&'static str],
    ) -> Option<&'static str> {
        let value = self.value(name)?;
        let given = value.as_str();
        if let Some(word) = words.iter().find(|word| given == Some(**word)) {
            return Some(word);
        }
        let close = given.map(str::trim).map(str::to_lowercase);
        let suggestion = words
            .iter()
            .find(|word| close.as_deref() == Some(**word))
            .copied();
        self.refuse(
            name,
            &format!("must be one of {}", words.join(", ")),
            suggestion,
        )
    }

    /// A nested object, for another reader.
    pub fn object(&mut self, name: &'static str) -> Option<&'a Map<String, Value>> {
        match self.value(name)? {
            Value::Object(map) => Some(map),
            _ => self.refuse(name, "must be an object", None),
        }
    }

    /// A list of at most `max_items` values.
    pub fn array(&mut self, name: &'static str, max_items: usize) -> Option<&'a [Value]> {
        match self.value(name)? {
            Value::Array(items) if items.len() <= max_items => Some(items),
            Value::Array(_) => {
                self.refuse(name, &format!("must have at most {max_items} items"), None)
            }
            _ => self.refuse(name, "must be a list", None),
        }
    }

    /// Notes that the value of `name` breaks a rule of format; `error` continues the sentence "the field …".
    pub fn fail(&mut self, name: &str, error: &str, suggestion: Option<&str>) {
        self.note(name, self.map.get(name), error, suggestion);
    }

    /// The same of one key of the object `name`, with the value of that key: the field is `name.key`.
    pub fn fail_within(&mut self, name: &str, key: &str, error: &str) {
        let object = self.map.get(name).and_then(Value::as_object);
        let value = object.and_then(|object| object.get(key));
        self.note(&clipped(&format!("{name}.{key}")), value, error, None);
    }

    fn note(&mut self, field: &str, value: Option<&Value>, error: &str, suggestion: Option<&str>) {
        let value = value.map_or(Value::Null, shown);
        self.faults.push(
            json!({"field": field, "value": value, "error": error, "suggestion": suggestion}),
        );
    }

    /// Whether a fault of format has been noted for `name`.
    pub fn has_failed(&self, name: &str) -> bool {
        self.faults
            .iter()
            .any(|fault| fault.get("field").and_then(Value::as_str) == Some(name))
    }

    /// The end of reading.
    ///
    /// # Errors
    /// 400 for unknown keys, else 400 for missing ones, else 422 with every field at fault.
    pub fn finish(self) -> Result<(), Problem> {
        self.check_names()?;
        if self.faults.is_empty() {
            return Ok(());
        }
        let message = match self.faults.as_slice() {
            [one] => {
                let text = |key| one.get(key).and_then(Value::as_str).unwrap_or_default();
                format!(
                    "The field {} is not valid: {}.",
                    text("field"),
                    text("error")
                )
            }
            many => {
                let names = many.iter().filter_map(|one| one.get("field")?.as_str());
                format!("{} fields are not valid: {}.", many.len(), few(names))
            }
        };
        Err(Problem::new(VALIDATION_ERROR, message).detail("fields", self.faults))
    }

    /// The keys that are not accepted, clipped for showing.
    pub fn unknown_names(&self) -> Vec<String> {
        let keys = self.map.keys();
        keys.filter(|key| !self.accepted.contains(&key.as_str()))
            .map(|key| clipped(key))
            .collect()
    }

    /// The 400s of [`Fields::finish`] alone, for a reader that has other 400s to tell before any 422.
    ///
    /// # Errors
    /// 400 for unknown keys, else 400 for missing ones.
    pub fn check_names(&self) -> Result<(), Problem> {
        let unknown = self.unknown_names();
        if !unknown.is_empty() {
            let what = match unknown.as_slice() {
                [_] => "a parameter that is not known",
                _ => "parameters that are not known",
            };
            let names = few(unknown.iter().map(String::as_str));
            let message = format!("The body has {what}: {names}.");
            return Err(Problem::bad_request("unknown_parameter", message)
                .detail("parameters", unknown)
                .detail("accepted", self.accepted));
        }
        let one_of = self.missing_one_of.join(" or ");
        let lacks: Vec<&str> = std::iter::once(&*one_of)
            .filter(|names| !names.is_empty())
            .chain(self.missing.iter().copied())
            .collect();
        if !lacks.is_empty() {
            let message = format!("The body lacks {}.", lacks.join(", "));
            let parameters = [self.missing.as_slice(), self.missing_one_of].concat();
            return Err(Problem::bad_request("missing_parameter", message)
                .detail("parameters", parameters)
                .detail("accepted", self.accepted));
        }
        Ok(())
    }

    fn refuse<T>(&mut self, name: &str, error: &str, suggestion: Option<&str>) -> Option<T> {
        self.fail(name, error, suggestion);
        None
    }
}

fn shown(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(clipped(text)),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            if text.len() <= SHOWN_CHARS {
                value.clone()
            } else {
                Value::String(clipped(&text))
            }
        }
        scalar => scalar.clone(),
    }
}

/// The first names of a list, each cut, for a sentence.
fn few<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<String> = names
        .take(MAX_NAMES + 1)
        .map(|name| name.chars().take(NAME_CHARS).collect())
        .collect();
    if names.len() > MAX_NAMES {
        names.truncate(MAX_NAMES);
        names.push("…".to_owned());
    }
    names.join(", ")
}

fn clipped(text: &str) -> String {
    text.chars().take(SHOWN_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn an_unknown_key_is_reported_before_everything_else() {
        let map = map(json!({"limit": "x", "colour": 1}));
        let mut fields = Fields::new(&map, &["limit", "name"]);
        fields.required_string("name", 5);
        fields.integer("limit", 1..=10, 2);
        let problem = fields.finish().unwrap_err();
        assert_eq!(problem.status(), 400);
        assert!(problem.message().ends_with("not known: colour."));
        assert_eq!(
            Value::Object(problem.details_ref().clone()),
            json!({"reason": "unknown_parameter", "parameters": ["colour"], "accepted": ["limit", "name"]})
        );
    }

    #[test]
    fn a_missing_required_field_is_a_400_and_null_counts_as_missing() {
        let map = map(json!({"name": null}));
        let mut fields = Fields::new(&map, &["name"]);
        assert_eq!(fields.required_string("name", 5), "");
        let problem = fields.finish().unwrap_err();
        assert_eq!(problem.details_ref()["reason"], "missing_parameter");
        assert_eq!(problem.details_ref()["parameters"], json!(["name"]));
    }

    #[test]
    fn all_faults_of_format_are_reported_at_once() {
        let map = map(
            json!({"name": " ", "on": "true", "limit": 11, "level": "High", "other": 5, "deep": []}),
        );
        let mut fields = Fields::new(&map, &["name", "on", "limit", "level", "other", "deep"]);
        assert_eq!(fields.string("name", 5), None);
        assert!(!fields.boolean("on", false));
        assert_eq!(fields.integer("limit", 1..=10, 2), 2);
        assert_eq!(fields.one_of("level", &["high", "low"], "low"), "low");
        assert_eq!(fields.string("other", 5), None);
        assert_eq!(fields.object("deep"), None);
        let problem = fields.finish().unwrap_err();
        assert_eq!(problem.status(), 422);
        let faults = problem.details_ref()["fields"].as_array().unwrap();
        assert_eq!(faults.len(), 6);
        assert_eq!(
            faults[2],
            json!({"field": "limit", "value": 11, "error": "must be from 1 to 10", "suggestion": null})
        );
        assert_eq!(faults[3]["suggestion"], "high");
    }

    #[test]
    fn good_values_are_handed_out_and_nothing_is_refused() {
        let map = map(
            json!({"name": "größe", "on": true, "limit": 10, "level": "high", "deep": {"a": 1}, "list": [1]}),
        );
        let mut fields = Fields::new(&map, &["name", "on", "limit", "level", "deep", "list"]);
        assert_eq!(fields.required_string("name", 5), "größe");
        assert!(fields.boolean("on", false));
        assert_eq!(fields.integer("limit", 1..=10, 2), 10);
        assert_eq!(fields.one_of("level", &["high", "low"], "low"), "high");
        assert_eq!(fields.object("deep").unwrap().len(), 1);
        assert_eq!(fields.array("list", 1).unwrap().len(), 1);
        assert_eq!(fields.finish(), Ok(()));
    }

    #[test]
    fn the_sentence_says_what_is_wrong_with_one_field_and_names_a_few() {
        let one = map(json!({"limit": 11}));
        let mut fields = Fields::new(&one, &["limit"]);
        fields.integer("limit", 1..=10, 2);
        let message = fields.finish().unwrap_err().message().to_owned();
        assert_eq!(
            message,
            "The field limit is not valid: must be from 1 to 10."
        );
        let many: Vec<String> = (0..9)
            .map(|at| format!("{at}{}", "x".repeat(300)))
            .collect();
        let many = many.into_iter().map(|name| (name, json!(1))).collect();
        let message = Fields::new(&many, &[])
            .finish()
            .unwrap_err()
            .message()
            .to_owned();
        assert!(
            message.len() < 450 && message.ends_with(", …."),
            "{message}"
        );
    }

    #[test]
    fn a_number_is_whole_only_when_it_is_written_so() {
        for given in [
            json!(10.0),
            json!("10"),
            json!(1e2),
            json!(true),
            json!(u64::MAX),
        ] {
            let map = map(json!({"limit": given}));
            let mut fields = Fields::new(&map, &["limit"]);
            assert_eq!(fields.integer("limit", 1..=1000, 2), 2);
            assert_eq!(fields.finish().unwrap_err().status(), 422);
        }
    }

    #[test]
    fn a_list_that_was_sent_is_shown_as_it_is_and_a_long_one_clipped() {
        let map = map(json!({"city": ["a", {"b": 1}], "name": vec!["x"; 100]}));
        let mut fields = Fields::new(&map, &["city", "name"]);
        let _ = (fields.string("city", 9), fields.string("name", 9));
        let problem = fields.finish().unwrap_err();
        let shown = &problem.details_ref()["fields"];
        assert_eq!(shown[0]["value"], json!(["a", {"b": 1}]));
        let clipped = shown[1]["value"].as_str().unwrap();
        assert!(clipped.starts_with(r#"["x","x""#) && clipped.chars().count() == SHOWN_CHARS);
    }

    #[test]
    fn length_counts_characters_and_long_values_are_shown_clipped() {
        let map = map(json!({"name": "ä".repeat(300)}));
        let mut fields = Fields::new(&map, &["name"]);
        assert!(fields.string("name", 300).is_some());
        assert_eq!(fields.string("name", 299), None);
        let problem = fields.finish().unwrap_err();
        assert_eq!(
            problem.details_ref()["fields"][0]["value"]
                .as_str()
                .unwrap()
                .chars()
                .count(),
            SHOWN_CHARS
        );
    }
}
