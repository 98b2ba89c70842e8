//! Writing JSON as text, compact or indented as `serde_json` does both.

use serde_json::Value;

const INDENT: &str = "  ";

/// A body as it grows. Who writes says where objects, keys and elements begin; commas and lines come by themselves.
#[derive(Debug)]
pub struct Text {
    text: String,
    is_pretty: bool,
    depth: usize,
    /// Nothing stands yet in the object or list that is open.
    is_empty: bool,
}

impl Text {
    /// An empty body that grows to `bytes` in one piece.
    #[must_use]
    pub fn new(is_pretty: bool, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            is_pretty,
            depth: 0,
            is_empty: true,
        }
    }

    /// What was written.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    pub(super) const fn is_pretty(&self) -> bool {
        self.is_pretty
    }

    /// Opens an object `{` or a list `[`.
    pub fn begin(&mut self, bracket: char) {
        self.text.push(bracket);
        self.depth += 1;
        self.is_empty = true;
    }

    /// Closes it with `}` or `]`.
    pub fn end(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        if !self.is_empty {
            self.line();
        }
        self.is_empty = false;
        self.text.push(bracket);
    }

    /// Before each element of a list.
    pub fn element(&mut self) {
        if !self.is_empty {
            self.text.push(',');
        }
        self.line();
        self.is_empty = false;
    }

    /// A key of an object; its value follows. The key needs no escapes.
    pub fn key(&mut self, name: &str) {
        self.raw_key(name, |text, name| {
            text.push('"');
            text.push_str(name);
            text.push('"');
        });
    }

    /// A key as it stands in JSON, with its quotes.
    pub(super) fn quoted_key(&mut self, quoted: &str) {
        self.raw_key(quoted, |text, quoted| text.push_str(quoted));
    }

    fn raw_key(&mut self, name: &str, push: fn(&mut String, &str)) {
        self.element();
        push(&mut self.text, name);
        self.text.push_str(if self.is_pretty { ": " } else { ":" });
    }

    /// A key and its value, which `compact` has in one piece.
    pub(super) fn member(&mut self, quoted: &str, value: &Value, compact: &str) {
        if self.is_pretty {
            self.quoted_key(quoted);
            self.value(value);
        } else {
            self.element();
            self.raw(compact);
        }
    }

    /// A value that is JSON already, on one line.
    pub(super) fn raw(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// Any text as a JSON string.
    pub fn string(&mut self, text: &str) {
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        if text.bytes().all(is_plain) {
            self.text.push('"');
            self.text.push_str(text);
            self.text.push('"');
        } else {
            self.text.push_str(&Value::from(text).to_string());
        }
    }

    /// Any value.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Array(items) => {
                self.begin('[');
                for item in items {
                    self.element();
                    self.value(item);
                }
                self.end(']');
            }
            Value::Object(map) => {
                self.begin('{');
                for (key, value) in map {
                    self.quoted_key(&Value::from(key.as_str()).to_string());
                    self.value(value);
                }
                self.end('}');
            }
            scalar => self.raw(&scalar.to_string()),
        }
    }

    fn line(&mut self) {
        if self.is_pretty {
            self.text.push('\n');
            for _ in 0..self.depth {
                self.text.push_str(INDENT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_written_as_serde_json_writes_them() {
        let value = json!({"a": [], "b": {}, "c": [1, -2.5, [null, {"d\"\n": "e\u{1}\u{e9}\\"}]], "": {"f": [[]]}, "g": true});
        for is_pretty in [false, true] {
            let mut text = Text::new(is_pretty, 0);
            text.value(&value);
            let expected = if is_pretty {
                serde_json::to_string_pretty(&value)
            } else {
                serde_json::to_string(&value)
            };
            assert_eq!(text.finish(), expected.unwrap());
        }
    }

    #[test]
    fn strings_are_escaped_as_serde_json_escapes_them() {
        for text in [
            "",
            "plain é 漢",
            "quote \" slash \\ line \n bell \u{7} delete \u{7f}",
        ] {
            let mut written = Text::new(false, 0);
            written.string(text);
            assert_eq!(written.finish(), json!(text).to_string());
        }
    }
}
