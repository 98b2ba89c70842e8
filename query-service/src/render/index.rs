//! Where the values of a document stand in its bytes: a list of slices in the order of the text, found in one pass.
//!
//! Reads the compact JSON that the projector writes, so that spaces between values are as malformed as anything else that
//! JSON forbids. Checks all of it: what is copied from an indexed document is valid JSON.

/// Deeper than any record; the pass and the walk call themselves for every level.
const MAX_DEPTH: usize = 64;
/// Bytes of a document for which there is one value, about.
const BYTES_PER_VALUE: usize = 12;

/// Stored bytes that are no document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored document is not the JSON that it should be, at byte {0}")]
pub struct Malformed(pub usize);

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Null,
    Scalar,
    Text,
    List,
    Object,
}

/// A value: in an object preceded by its key, which is indexed as a text.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    /// The entry after this one and all that is in it.
    next: u32,
    shape: Shape,
    /// Of a text.
    has_escapes: bool,
}

/// An indexed document.
#[derive(Debug)]
pub(super) struct Index<'a> {
    text: &'a str,
    entries: Vec<Entry>,
}

/// A value of an indexed document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    index: &'a Index<'a>,
    at: u32,
    entry: Entry,
}

impl<'a> Index<'a> {
    /// Indexes an object.
    pub(super) fn of(document: &'a [u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(document).map_err(|fault| Malformed(fault.valid_up_to()))?;
        if u32::try_from(document.len()).is_err() {
            return Err(Malformed(0));
        }
        let mut pass = Pass {
            bytes: document,
            at: 0,
            entries: Vec::with_capacity(document.len() / BYTES_PER_VALUE + 1),
        };
        if pass.peek() != Some(b'{') {
            return Err(Malformed(0));
        }
        pass.value(0)?;
        if pass.at != document.len() {
            return Err(Malformed(pass.at));
        }
        Ok(Self {
            text,
            entries: pass.entries,
        })
    }

    pub(super) fn root(&self) -> Option<Node<'_>> {
        self.node(0)
    }

    fn node(&self, at: u32) -> Option<Node<'_>> {
        let entry = *self.entries.get(usize::try_from(at).ok()?)?;
        Some(Node {
            index: self,
            at,
            entry,
        })
    }
}

impl<'a> Node<'a> {
    pub(super) const fn shape(self) -> Shape {
        self.entry.shape
    }

    /// The value as it stands in the document.
    pub(super) fn json(self) -> &'a str {
        let (start, end) = (self.entry.start, self.entry.end);
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        range.map_or("", |(start, end)| {
            self.index.text.get(start..end).unwrap_or_default()
        })
    }

    fn place(self) -> usize {
        usize::try_from(self.entry.start).unwrap_or_default()
    }

    /// What is between the quotes of a text, escapes and all.
    pub(super) fn inner(self) -> &'a str {
        let json = self.json();
        json.get(1..json.len().saturating_sub(1))
            .unwrap_or_default()
    }

    /// A text without its escapes; none of anything else.
    pub(super) fn unescaped(self) -> Result<Option<std::borrow::Cow<'a, str>>, Malformed> {
        if self.entry.shape != Shape::Text {
            return Ok(None);
        }
        let inner = self.inner();
        if !self.entry.has_escapes {
            return Ok(Some(inner.into()));
        }
        // Half of a pair of surrogates is the one text that is JSON and means nothing.
        let text: String =
            serde_json::from_str(self.json()).map_err(|_| Malformed(self.place()))?;
        Ok(Some(text.into()))
    }

    /// The elements of a list; nothing of anything else.
    pub(super) fn elements(self) -> impl Iterator<Item = Node<'a>> {
        self.inside(Shape::List)
    }

    /// Keys and values of an object; nothing of anything else.
    pub(super) fn pairs(self) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let mut inside = self.inside(Shape::Object);
        std::iter::from_fn(move || Some((inside.next()?, inside.next()?)))
    }

    fn inside(self, shape: Shape) -> impl Iterator<Item = Node<'a>> {
        let end = if self.entry.shape == shape {
            self.entry.next
        } else {
            0
        };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let node = self.index.node(at)?;
            at = node.entry.next;
            Some(node)
        })
    }
}

/// The pass over the bytes.
struct Pass<'a> {
    bytes: &'a [u8],
    at: usize,
    entries: Vec<Entry>,
}

impl Pass<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    const fn malformed<T>(&self) -> Result<T, Malformed> {
        Err(Malformed(self.at))
    }

    fn take(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.malformed()
        }
    }

    fn value(&mut self, depth: usize) -> Result<(), Malformed> {
        let (start, place) = (self.mark(), self.entries.len());
        self.entries.push(Entry {
            start,
            end: start,
            next: 0,
            shape: Shape::Null,
            has_escapes: false,
        });
        let mut has_escapes = false;
        let shape = match self.peek() {
            Some(b'"') => self.string().map(|escapes| {
                has_escapes = escapes;
                Shape::Text
            }),
            Some(b'{') => self.object(depth).map(|()| Shape::Object),
            Some(b'[') => self.list(depth).map(|()| Shape::List),
            Some(b'n') => self.word(b"null").map(|()| Shape::Null),
            Some(b't') => self.word(b"true").map(|()| Shape::Scalar),
            Some(b'f') => self.word(b"false").map(|()| Shape::Scalar),
            _ => self.number().map(|()| Shape::Scalar),
        }?;
        let (end, next) = (self.mark(), self.next());
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Entry {
                start,
                end,
                next,
                shape,
                has_escapes,
            };
        }
        Ok(())
    }

    /// Where the pass is. A document whose bytes could not be counted so was refused.
    fn mark(&self) -> u32 {
        u32::try_from(self.at).unwrap_or(u32::MAX)
    }

    /// The next entry; there are no more of them than bytes.
    fn next(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    fn object(&mut self, depth: usize) -> Result<(), Malformed> {
        self.inside(depth, b'}', |pass, depth| {
            let start = pass.mark();
            let has_escapes = pass.string()?;
            pass.entries.push(Entry {
                start,
                end: pass.mark(),
                next: pass.next() + 1,
                shape: Shape::Text,
                has_escapes,
            });
            pass.take(b':')?;
            pass.value(depth)
        })
    }

    fn list(&mut self, depth: usize) -> Result<(), Malformed> {
        self.inside(depth, b']', Self::value)
    }

    fn inside(
        &mut self,
        depth: usize,
        end: u8,
        one: fn(&mut Self, usize) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        if depth >= MAX_DEPTH {
            return self.malformed();
        }
        self.at += 1;
        if self.peek() == Some(end) {
            self.at += 1;
            return Ok(());
        }
        loop {
            one(self, depth + 1)?;
            if self.peek() != Some(b',') {
                return self.take(end);
            }
            self.at += 1;
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Malformed> {
        for byte in word {
            self.take(*byte)?;
        }
        Ok(())
    }

    /// Says whether there are escapes in it.
    fn string(&mut self) -> Result<bool, Malformed> {
        self.take(b'"')?;
        let mut has_escapes = false;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += plain_bytes(rest);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(has_escapes);
                }
                Some(b'\\') => {
                    has_escapes = true;
                    self.escape()?;
                }
                _ => return self.malformed(),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Malformed> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return self.malformed();
                    }
                    self.at += 1;
                }
            }
            _ => return self.malformed(),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Malformed> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { self.malformed() } else { Ok(()) }
    }
}

/// How many bytes stand before the first that ends a text or a part of it: a quote, a backslash or a control character. Eight at a
/// time: a byte of `x` is zero where `(x - 0x01…) & !x` has its highest bit, if none below it is; the lowest is always right.
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = ONES << 7;
    const QUOTES: u64 = ONES * b'"' as u64;
    const BACKSLASHES: u64 = ONES * b'\\' as u64;
    const SPACES: u64 = ONES * b' ' as u64;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let controls = word.wrapping_sub(SPACES) & !word;
        let ends = (zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES) | controls) & HIGHEST;
        if ends != 0 {
            return at * 8 + usize::try_from(ends.trailing_zeros() / 8).unwrap_or_default();
        }
    }
    let ends = |byte: &u8| *byte == b'"' || *byte == b'\\' || *byte < b' ';
    words.len() * 8 + rest.iter().position(ends).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_compact_json_object_is_malformed() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(64), "]".repeat(64));
        for bad in [
            "",
            "1",
            "[]",
            "null",
            "{",
            "}",
            "{}x",
            " {}",
            "{} ",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "{,\"a\":1}",
            "{\"a\":1 }",
            "{\"a\": 1}",
            "{\"a\":[1,]}",
            "{\"a\":[}",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":.5}",
            "{\"a\":1e}",
            "{\"a\":+1}",
            "{\"a\":-}",
            "{\"a\":tru}",
            "{\"a\":nul}",
            "{\"a\":NaN}",
            "{\"a\":\"x}",
            "{\"a\":\"\\q\"}",
            "{\"a\":\"\\u12g4\"}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"\\",
            deep.as_str(),
        ] {
            assert!(Index::of(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(Index::of(b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn a_text_ends_where_its_bytes_say_at_every_place_of_a_word() {
        let ends = |byte: &u8| *byte == b'"' || *byte == b'\\' || *byte < b' ';
        for length in 0..=20 {
            for place in 0..length {
                for before in [
                    b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff,
                ] {
                    for byte in 0..=u8::MAX {
                        let mut bytes = vec![before; length];
                        if let Some(slot) = bytes.get_mut(place) {
                            *slot = byte;
                        }
                        let expected = bytes.iter().position(ends).unwrap_or(length);
                        assert_eq!(plain_bytes(&bytes), expected, "{bytes:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_and_what_is_in_them_are_found() {
        let text = r#"{"a":-0.5e+7,"b":[{"c":"x\"y"},[],{}],"d":null,"e":true,"f":0}"#;
        let index = Index::of(text.as_bytes());
        let root = index.as_ref().ok().and_then(Index::root);
        let found: Vec<(&str, &str)> = root
            .into_iter()
            .flat_map(Node::pairs)
            .map(|(key, value)| (key.inner(), value.json()))
            .collect();
        assert_eq!(
            found,
            [
                ("a", "-0.5e+7"),
                ("b", r#"[{"c":"x\"y"},[],{}]"#),
                ("d", "null"),
                ("e", "true"),
                ("f", "0")
            ]
        );
        let elements: Vec<&str> = root
            .into_iter()
            .flat_map(Node::pairs)
            .flat_map(|(_, value)| value.elements())
            .map(Node::json)
            .collect();
        assert_eq!(elements, [r#"{"c":"x\"y"}"#, "[]", "{}"]);
    }
}
