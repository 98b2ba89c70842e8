//! Reading a document once from front to back, without a tree.
//!
//! The loader's documents are compact JSON and well formed; what is passed over is only checked as far as that needs, so
//! this is no JSON validator. Any bytes end in a value or in [`Malformed`], never in a panic.

use std::borrow::Cow;

/// The document is not of the expected form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

/// A place in a document.
#[derive(Debug)]
pub(super) struct Scanner<'d> {
    bytes: &'d [u8],
    at: usize,
}

impl<'d> Scanner<'d> {
    /// At the beginning; the bytes must be UTF-8.
    pub(super) fn new(document: &'d [u8]) -> Result<Self> {
        std::str::from_utf8(document).map_err(|_| Malformed)?;
        Ok(Self {
            bytes: document,
            at: 0,
        })
    }

    /// The next byte that is no white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
                None => return Err(Malformed),
            }
        }
    }

    /// Takes `byte` if it is next.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Result<bool> {
        let is_next = self.peek()? == byte;
        self.at += usize::from(is_next);
        Ok(is_next)
    }

    /// Takes `byte`, which must be next.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.take(byte)? {
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    /// Takes `null` if it is next.
    #[inline]
    pub(super) fn take_null(&mut self) -> Result<bool> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        self.word(b"null").map(|()| true)
    }

    /// True or false.
    pub(super) fn boolean(&mut self) -> Result<bool> {
        match self.peek()? {
            b't' => self.word(b"true").map(|()| true),
            _ => self.word(b"false").map(|()| false),
        }
    }

    /// The text of a number.
    pub(super) fn number(&mut self) -> Result<&'d str> {
        self.peek()?;
        let rest = self.bytes.get(self.at..).ok_or(Malformed)?;
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest
            .iter()
            .position(|byte| !is_part(byte))
            .unwrap_or(rest.len());
        self.at += length;
        let text = rest.get(..length).ok_or(Malformed)?;
        std::str::from_utf8(text).map_err(|_| Malformed)
    }

    /// A string, unescaped.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Cow<'d, [u8]>> {
        self.expect(b'"')?;
        let start = self.at;
        let end = self.string_end()?;
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(self.bytes.get(start..end).ok_or(Malformed)?));
        }
        self.at = end;
        self.pass_string()?;
        let quoted = self.bytes.get(start - 1..self.at).ok_or(Malformed)?;
        let text: String = serde_json::from_slice(quoted).map_err(|_| Malformed)?;
        Ok(Cow::Owned(text.into_bytes()))
    }

    /// A key and the colon after it.
    #[inline]
    pub(super) fn key(&mut self) -> Result<Cow<'d, [u8]>> {
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// Passes over any value.
    pub(super) fn skip(&mut self) -> Result<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    self.pass_string()?;
                }
                b'{' | b'[' => {
                    self.at += 1;
                    depth += 1;
                }
                b'}' | b']' => {
                    self.at += 1;
                    depth = depth.checked_sub(1).ok_or(Malformed)?;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => {
                    if self.number()?.is_empty() {
                        return Err(Malformed);
                    }
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Nothing but white space may be left.
    pub(super) fn end(mut self) -> Result<()> {
        if self.peek().is_err() {
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<()> {
        if self
            .bytes
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word))
        {
            self.at += word.len();
            return Ok(());
        }
        Err(Malformed)
    }

    /// Passes over the rest of a string, the closing quote included.
    fn pass_string(&mut self) -> Result<()> {
        loop {
            let end = self.string_end()?;
            if self.bytes.get(end) == Some(&b'"') {
                self.at = end + 1;
                return Ok(());
            }
            // A backslash and what it escapes; of `\u` the digits are ordinary text.
            self.at = end + 2;
        }
    }

    /// Where the next quote or backslash stands: eight bytes at a time, since most strings are short.
    #[inline]
    fn string_end(&self) -> Result<usize> {
        const ONES: u64 = u64::from_ne_bytes([1; 8]);
        const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
        let rest = self.bytes.get(self.at..).ok_or(Malformed)?;
        let (words, tail) = rest.as_chunks::<8>();
        for (index, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let quote = zeros(word ^ u64::from_ne_bytes([b'"'; 8]));
            let escape = zeros(word ^ u64::from_ne_bytes([b'\\'; 8]));
            let found = quote | escape;
            if found != 0 {
                let byte = usize::try_from(found.trailing_zeros() / 8).unwrap_or(0);
                return Ok(self.at + index * 8 + byte);
            }
        }
        let place = tail.iter().position(|byte| matches!(byte, b'"' | b'\\'));
        let place = place.ok_or(Malformed)?;
        Ok(self.at + words.len() * 8 + place)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn strings_are_unescaped_and_skipped() {
        let text = br#" "plain" "long enough for two words" "q\"\u00e9\\" [1,{"a":"]\"}"},null,[true,false]] -1.5e3 "#;
        let mut scanner = Scanner::new(text).unwrap();
        assert_eq!(*scanner.string().unwrap(), *b"plain");
        assert_eq!(*scanner.string().unwrap(), *b"long enough for two words");
        assert_eq!(*scanner.string().unwrap(), *"q\"é\\".as_bytes());
        scanner.skip().unwrap();
        assert_eq!(scanner.number().unwrap(), "-1.5e3");
        scanner.end().unwrap();
    }

    proptest! {
        #[test]
        fn any_text_ends(text in "[\\[\\]{}\",:a\\\\0-9 é]{0,40}") {
            if let Ok(mut scanner) = Scanner::new(text.as_bytes()) {
                while scanner.skip().is_ok() {}
                let _ = scanner.string();
            }
        }

        #[test]
        fn a_skipped_value_is_the_whole_value(value in prop::collection::vec(".*", 0..4)) {
            let text = serde_json::to_vec(&value).unwrap();
            let mut scanner = Scanner::new(&text).unwrap();
            scanner.skip().unwrap();
            prop_assert!(scanner.end().is_ok());
            let mut scanner = Scanner::new(&text).unwrap();
            scanner.expect(b'[').unwrap();
            for (at, one) in value.iter().enumerate() {
                if at > 0 { scanner.expect(b',').unwrap(); }
                prop_assert_eq!(&*scanner.string().unwrap(), one.as_bytes());
            }
        }
    }
}
