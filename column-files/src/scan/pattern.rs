//! `LIKE` patterns, taken apart once: literals and skipped characters between the `%`.

use memchr::memmem::Finder;

use crate::view::TAIL_END;

/// What it costs to look for a segment, beside the bytes that are gone through, in bytes.
const SEGMENT: usize = 16;

/// A pattern ready for matching.
#[derive(Debug)]
pub(super) struct Pattern {
    /// What stands between the `%`; the first must match at the start of a text, the last at its end.
    segments: Vec<Segment>,
}

/// What a look at a text's start and end says.
#[derive(Debug)]
pub(super) enum Begun {
    /// Whether it matches.
    Decided(bool),
    /// What stands between them decides.
    Open(Progress),
}

/// How far a text is matched.
#[derive(Debug)]
pub(super) struct Progress {
    /// The segment that is looked for.
    segment: usize,
    /// Where those before it end, and the last one begins.
    from: usize,
    to: usize,
    /// Where to go on in it.
    tried: Option<Tried>,
}

/// The next place where a segment may begin, and its anchor stand.
#[derive(Debug, Clone, Copy)]
struct Tried {
    start: usize,
    anchor: usize,
}

/// What must match without a gap.
#[derive(Debug, Default)]
struct Segment {
    items: Vec<Item>,
    /// Index of the longest literal, and the characters in front of it.
    anchor: Option<(usize, usize)>,
    /// Characters in all.
    characters: usize,
}

#[derive(Debug)]
enum Item {
    Literal(Box<Finder<'static>>),
    /// So many characters of any kind.
    Skip(usize),
}

/// A text that every match of a pattern has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needle {
    /// The text, never empty.
    pub(super) text: Vec<u8>,
    /// It stands at the end.
    pub(super) at_end: bool,
    /// Whatever has it is a match.
    pub(super) decides: bool,
}

impl Pattern {
    /// Takes a pattern apart; a backslash takes the meaning of the next character away.
    pub(super) fn of(pattern: &str) -> Self {
        let mut segments = Vec::new();
        let mut segment = Unfinished::default();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            match character {
                '%' => segments.push(std::mem::take(&mut segment).finished()),
                '_' => segment.skip(),
                '\\' => segment.literal(characters.next().unwrap_or('\\')),
                other => segment.literal(other),
            }
        }
        segments.push(segment.finished());
        let last = segments.len() - 1;
        let mut at = 0;
        segments.retain(|segment| {
            at += 1;
            at == 1 || at == last + 1 || segment.characters > 0
        });
        Self { segments }
    }

    /// What every match begins with.
    pub(super) fn lead(&self) -> &[u8] {
        match self
            .segments
            .first()
            .and_then(|segment| segment.items.first())
        {
            Some(Item::Literal(literal)) => literal.needle(),
            _ => &[],
        }
    }

    /// Whether a text matches as soon as it begins with [`Pattern::lead`].
    pub(super) fn is_prefix(&self) -> bool {
        matches!(self.segments.as_slice(), [first, last]
            if last.characters == 0 && (first.characters == 0 || first.is_literal()))
    }

    /// The one text that matches, if there is no more than one.
    pub(super) fn exact(&self) -> Option<&[u8]> {
        match self.segments.as_slice() {
            [only] if only.characters == 0 || only.is_literal() => Some(self.lead()),
            _ => None,
        }
    }

    /// Whether it is `%@` and something, so that it matches a text as it matches what the text has from its first `@` on.
    pub(super) fn is_of_hosts(&self) -> bool {
        let [first, second, ..] = self.segments.as_slice() else {
            return false;
        };
        let literal = match second.items.first() {
            Some(Item::Literal(literal)) => literal.needle(),
            _ => &[],
        };
        first.characters == 0 && literal.first() == Some(&b'@')
    }

    /// The longest text that every match has.
    pub(super) fn needle(&self) -> Option<Needle> {
        let last = self.segments.len() - 1;
        let mut best: Option<Needle> = None;
        for (at, segment) in self.segments.iter().enumerate() {
            for (place, item) in segment.items.iter().enumerate() {
                let Item::Literal(literal) = item else {
                    continue;
                };
                if best
                    .as_ref()
                    .is_none_or(|best| literal.needle().len() > best.text.len())
                {
                    let at_end = at == last && place + 1 == segment.items.len();
                    let alone = match self.segments.as_slice() {
                        [first, middle, end] => {
                            first.characters == 0 && middle.is_literal() && end.characters == 0
                        }
                        [first, end] => first.characters == 0 && end.is_literal(),
                        _ => false,
                    };
                    best = Some(Needle {
                        text: literal.needle().to_vec(),
                        at_end,
                        decides: alone,
                    });
                }
            }
        }
        best
    }

    /// [`Pattern::lead`] and the literals behind it, the last one with [`TAIL_END`] if it must stand at the end; none if a
    /// `_` stands between them.
    pub(super) fn literals(&self) -> Option<(&[u8], Vec<Vec<u8>>)> {
        let (first, others) = self.segments.split_first()?;
        let (last, middle) = others.split_last()?;
        let is_plain = |segment: &Segment| segment.characters == 0 || segment.is_literal();
        if !is_plain(first) || !is_plain(last) || !middle.iter().all(Segment::is_literal) {
            return None;
        }
        let literal = |segment: &Segment| match segment.items.first() {
            Some(Item::Literal(literal)) => literal.needle().to_vec(),
            _ => Vec::new(),
        };
        let mut literals: Vec<Vec<u8>> = middle.iter().map(literal).collect();
        if last.characters > 0 {
            let mut at_end = literal(last);
            at_end.push(TAIL_END);
            literals.push(at_end);
        }
        Some((self.lead(), literals))
    }

    /// Whether a text matches.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let mut steps = 0;
        match self.begin(text) {
            Begun::Decided(matches) => matches,
            Begun::Open(mut progress) => self
                .go_on(text, &mut progress, &mut steps, usize::MAX)
                .unwrap_or(false),
        }
    }

    /// Looks at a text's start and end: about as many steps as it has bytes.
    pub(super) fn begin(&self, text: &[u8]) -> Begun {
        let (Some((first, others)), Some(last)) =
            (self.segments.split_first(), self.segments.last())
        else {
            return Begun::Decided(false);
        };
        let Some(from) = first.end_at(text, 0, &mut 0) else {
            return Begun::Decided(false);
        };
        if others.is_empty() {
            return Begun::Decided(from == text.len());
        }
        match last.start_at_end(text).filter(|to| *to >= from) {
            Some(to) => Begun::Open(Progress {
                segment: 1,
                from,
                to,
                tried: None,
            }),
            None => Begun::Decided(false),
        }
    }

    /// Whether a text that was [begun](Pattern::begin) matches; none if that took more than `most` steps, which may then go on. Between
    /// two looks at `steps` are no more than the text and the pattern are long.
    pub(super) fn go_on(
        &self,
        text: &[u8],
        progress: &mut Progress,
        steps: &mut usize,
        most: usize,
    ) -> Option<bool> {
        let middle = self.segments.get(..self.segments.len() - 1)?;
        while let Some(segment) = middle.get(progress.segment) {
            let Some(text) = text.get(..progress.to) else {
                return Some(false);
            };
            let (from, tried) = (progress.from, &mut progress.tried);
            let Some(end) = segment.find(text, from, tried, steps, most)? else {
                return Some(false);
            };
            progress.from = end;
            progress.segment += 1;
            *steps += SEGMENT;
            if *steps > most {
                return None;
            }
        }
        Some(true)
    }
}

impl Segment {
    fn is_literal(&self) -> bool {
        matches!(self.items.as_slice(), [Item::Literal(_)])
    }

    /// Where a match that begins at `from` ends.
    fn end_at(&self, text: &[u8], from: usize, steps: &mut usize) -> Option<usize> {
        self.items.iter().try_fold(from, |at, item| match item {
            Item::Literal(literal) => {
                let literal = literal.needle();
                *steps += literal.len();
                text.get(at..)?
                    .starts_with(literal)
                    .then(|| at + literal.len())
            }
            Item::Skip(characters) => {
                *steps += characters;
                forward(text, at, *characters)
            }
        })
    }

    /// Where a match that ends where the text ends begins.
    fn start_at_end(&self, text: &[u8]) -> Option<usize> {
        if let [Item::Literal(literal)] = self.items.as_slice() {
            return text
                .ends_with(literal.needle())
                .then(|| text.len() - literal.needle().len());
        }
        let start = back(text, self.characters)?;
        (self.end_at(text, start, &mut 0)? == text.len()).then_some(start)
    }

    /// Where the first match that begins at `from` or later ends, if there is one; nothing where that took more than `most` steps:
    /// `tried` is then where to go on.
    fn find(
        &self,
        text: &[u8],
        from: usize,
        tried: &mut Option<Tried>,
        steps: &mut usize,
        most: usize,
    ) -> Option<Option<usize>> {
        let Some((anchor, before)) = self.anchor else {
            *steps += self.characters;
            return Some(forward(text, from, self.characters));
        };
        let (Some(Item::Literal(literal)), Some(rest)) = (self.items.get(anchor), text.get(from..))
        else {
            return Some(None);
        };
        if self.is_literal() {
            let found = literal.find(rest);
            *steps += found.unwrap_or(rest.len());
            return Some(found.map(|at| from + at + literal.needle().len()));
        }
        let begun = tried.take().or_else(|| {
            let anchor = forward(text, from, before)?;
            Some(Tried {
                start: from,
                anchor,
            })
        });
        let mut next = begun;
        while let Some(Tried { start, anchor }) = next {
            let ahead = text.get(anchor..).unwrap_or_default();
            let passed = literal.find(ahead);
            *steps += passed.unwrap_or(ahead.len());
            let Some((passed, over)) = passed.and_then(|at| Some((at, ahead.get(..at)?))) else {
                break;
            };
            let Some(start) = forward(text, start, count(over)) else {
                break;
            };
            if let Some(end) = self.end_at(text, start, steps) {
                return Some(Some(end));
            }
            next = forward(text, start, 1)
                .zip(forward(text, anchor + passed, 1))
                .map(|(start, anchor)| Tried { start, anchor });
            if *steps > most {
                *tried = next;
                return if next.is_some() { None } else { Some(None) };
            }
        }
        Some(None)
    }
}

#[derive(Default)]
struct Unfinished {
    parts: Vec<Result<String, usize>>,
}

impl Unfinished {
    fn skip(&mut self) {
        match self.parts.last_mut() {
            Some(Err(characters)) => *characters += 1,
            _ => self.parts.push(Err(1)),
        }
    }

    fn literal(&mut self, character: char) {
        match self.parts.last_mut() {
            Some(Ok(literal)) => literal.push(character),
            _ => self.parts.push(Ok(character.to_string())),
        }
    }

    fn finished(self) -> Segment {
        let mut segment = Segment::default();
        let mut longest = 0;
        for part in self.parts {
            match part {
                Ok(literal) => {
                    if literal.len() > longest {
                        longest = literal.len();
                        segment.anchor = Some((segment.items.len(), segment.characters));
                    }
                    segment.characters += literal.chars().count();
                    let finder = Finder::new(literal.as_bytes()).into_owned();
                    segment.items.push(Item::Literal(Box::new(finder)));
                }
                Err(characters) => {
                    segment.characters += characters;
                    segment.items.push(Item::Skip(characters));
                }
            }
        }
        segment
    }
}

/// Whether a byte begins a character.
const fn begins(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

fn count(text: &[u8]) -> usize {
    text.iter().filter(|byte| begins(**byte)).count()
}

/// The place so many characters behind `from`.
fn forward(text: &[u8], from: usize, characters: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..characters {
        text.get(at)?;
        at += 1;
        while text.get(at).is_some_and(|byte| !begins(*byte)) {
            at += 1;
        }
    }
    Some(at)
}

/// The place so many characters before the end.
fn back(text: &[u8], characters: usize) -> Option<usize> {
    if characters == 0 {
        return Some(text.len());
    }
    let starts = text
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| begins(**byte));
    starts.map(|(at, _)| at).nth(characters - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition: one character after the other, every way that a `%` can go.
    fn like(pattern: &[char], text: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['%', rest @ ..] => (0..=text.len()).any(|skip| like(rest, &text[skip..])),
            ['_', rest @ ..] => !text.is_empty() && like(rest, &text[1..]),
            ['\\', literal, rest @ ..] | [literal, rest @ ..] => {
                text.first() == Some(literal) && like(rest, &text[1..])
            }
        }
    }

    /// Whether a text matches, found with as many pauses as there can be; the most steps between two of them, and all steps.
    fn interrupted(pattern: &Pattern, text: &[u8], most: usize) -> (bool, usize, usize) {
        let (mut longest, mut all) = (0, 0);
        let mut progress = match pattern.begin(text) {
            Begun::Decided(matches) => return (matches, 0, 0),
            Begun::Open(progress) => progress,
        };
        loop {
            let mut steps = 0;
            let matches = pattern.go_on(text, &mut progress, &mut steps, most);
            longest = longest.max(steps);
            all += steps;
            if let Some(matches) = matches {
                return (matches, longest, all);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn a_pattern_matches_what_its_definition_says(pattern in "[abä%_]{0,9}|[ab%_\\\\]{0,6}a", text in "[abä%_]{0,12}") {
            prop_assume!(!pattern.ends_with('\\'));
            let compiled = Pattern::of(&pattern);
            let (wild, plain): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
            let expected = like(&wild, &plain);
            prop_assert_eq!(compiled.matches(text.as_bytes()), expected);
            prop_assert_eq!(interrupted(&compiled, text.as_bytes(), 0).0, expected);
            if expected {
                prop_assert!(text.as_bytes().starts_with(compiled.lead()));
            }
            if compiled.is_prefix() {
                prop_assert_eq!(text.as_bytes().starts_with(compiled.lead()), expected);
            }
            if let Some(exact) = compiled.exact() {
                prop_assert_eq!(text.as_bytes() == exact, expected);
            }
            if let Some(needle) = compiled.needle() {
                let sought = std::str::from_utf8(&needle.text).unwrap();
                let has = if needle.at_end { text.ends_with(sought) } else { text.contains(sought) };
                prop_assert!(has || !expected);
                if needle.decides {
                    prop_assert_eq!(has, expected);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn a_pattern_of_hosts_matches_a_text_as_it_matches_its_host(
            pattern in "%[%@][a@%_]{0,5}|%[a@%_\\\\]{0,6}a",
            text in "[aä@%_]{0,10}",
        ) {
            let compiled = Pattern::of(&pattern);
            let behind = pattern.trim_start_matches('%');
            prop_assert_eq!(compiled.is_of_hosts(), behind.starts_with('@') || behind.starts_with("\\@"));
            if compiled.is_of_hosts() {
                let host = text.find('@').map(|at| &text[at..]);
                let by_host = host.is_some_and(|host| compiled.matches(host.as_bytes()));
                prop_assert_eq!(compiled.matches(text.as_bytes()), by_host);
            }
        }
    }

    /// However long it takes to match one text, others have their turn.
    #[test]
    fn a_text_can_be_left_and_gone_on_with() {
        const MOST: usize = 32 * 1024;
        let text = "a".repeat(20_000);
        let mut most = 0;
        for pattern in [
            "%a".repeat(40) + "%b",
            "%a_".repeat(40) + "%b%",
            "_".repeat(500) + "b",
            "%".to_owned() + &"_".repeat(500) + "%b%",
            "%".to_owned() + &"_".repeat(10_000) + "b%",
            "%a".to_owned() + &"_".repeat(5_000) + "b%",
            "%".to_owned() + &"a_".repeat(5_000) + "b%",
            "%".repeat(60_000) + "b",
        ] {
            let compiled = Pattern::of(&pattern);
            let (matches, longest, all) = interrupted(&compiled, text.as_bytes(), MOST);
            assert!(!matches, "{pattern:.20}");
            assert!(
                longest <= MOST + pattern.len() + text.len(),
                "{pattern:.20}: {longest}"
            );
            most = most.max(all);
        }
        // Else nothing was interrupted.
        assert!(most > 100 * MOST, "{most}");
    }
}
