//! From text to tokens: words, numbers and marks, each with its place in the text.

mod number_words;
mod scales;

pub(crate) use number_words::number_word;

/// One word, number or mark.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// In lower case and without accents; of a mark the mark.
    pub(crate) text: String,
    /// [`Token::text`] in the singular.
    pub(crate) stem: String,
    /// Bytes of the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The first letter is a capital.
    pub(crate) is_capital: bool,
    /// All letters are capitals, and there are at least two.
    pub(crate) is_upper: bool,
    /// Nothing but a hyphen stands before it.
    pub(crate) is_joined: bool,
    /// Nothing at all stands before it.
    pub(crate) is_glued: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Word,
    Number(f64),
    Mark(char),
}

impl Token {
    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// Cuts a text into tokens.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        characters: text.char_indices().collect(),
        text,
        at: 0,
        tokens: Vec::new(),
    };
    while lexer.step() {}
    scales::shared(&mut lexer.tokens);
    number_words::compounds(lexer.tokens)
}

struct Lexer<'a> {
    characters: Vec<(usize, char)>,
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).map(|(_, c)| *c)
    }

    fn byte(&self, at: usize) -> usize {
        self.characters
            .get(at)
            .map_or(self.text.len(), |(byte, _)| *byte)
    }

    fn step(&mut self) -> bool {
        let Some(character) = self.peek(0) else {
            return false;
        };
        if flag_letter(character).is_some() {
            self.flag();
        } else if character.is_alphabetic() {
            self.word();
        } else if character.is_numeric() {
            self.number();
        } else {
            self.mark(character);
        }
        true
    }

    /// The flag of a country is its name; a part of one is a word that nothing knows.
    fn flag(&mut self) {
        let begin = self.at;
        let letters = self.characters.iter().skip(begin).take(2);
        let code: String = letters.filter_map(|(_, c)| flag_letter(*c)).collect();
        self.at += code.len();
        let (from, to) = (self.byte(begin), self.byte(self.at));
        let raw = self.text.get(from..to).unwrap_or_default().to_owned();
        let country = crate::vocabulary::vocabulary().country_with_code(&code);
        let name = country.map_or_else(|| raw.clone(), str::to_owned);
        self.push(Kind::Word, name, from, to, &raw);
        let country = country.map(stems);
        if let (Some(stem), Some(last)) = (country, self.tokens.last_mut()) {
            last.stem = stem;
        }
    }

    /// "https://", which is no word of what is asked.
    fn scheme(&mut self) -> bool {
        let is_scheme = |scheme: &&&str| {
            let mut letters = scheme.chars().enumerate();
            letters.all(|(ahead, letter)| self.peek(ahead) == Some(letter))
        };
        let scheme = ["https://", "http://"].iter().find(is_scheme);
        self.at += scheme.map_or(0, |scheme| scheme.len());
        scheme.is_some()
    }

    fn word(&mut self) {
        if self.scheme() {
            return;
        }
        let begin = self.at;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(c), _) if c.is_alphanumeric() => self.at += 1,
                // don't, l'oreal, p&g, booking.com, a@b.c
                (Some('\'' | '’' | '&' | '@'), Some(next)) if next.is_alphanumeric() => {
                    self.at += 1
                }
                (Some('.'), Some(next))
                    if next.is_alphanumeric() && self.continues_domain(begin) =>
                {
                    self.at += 1;
                }
                // u.s. and u.s.a.
                (Some('.'), _) if self.is_initials(begin) => self.at += 1,
                _ => break,
            }
        }
        // "Years' experience", unless it closes a quotation.
        let is_quoted = self
            .tokens
            .iter()
            .any(|token| token.kind == Kind::Mark('\''));
        let ends_in_s = self
            .text
            .get(..self.byte(self.at))
            .is_some_and(|text| text.ends_with('s'));
        if ends_in_s
            && !is_quoted
            && matches!(self.peek(0), Some('\'' | '’'))
            && self.peek(1).is_none_or(char::is_whitespace)
        {
            self.at += 1;
        }
        let (from, to) = (self.byte(begin), self.byte(self.at));
        let raw = self.text.get(from..to).unwrap_or_default().to_owned();
        let mut folded = plain(&raw);
        if self.is_initials_text(&folded) {
            folded.retain(|c| c != '.');
        }
        for ending in ["'s", "'"] {
            if let Some(cut) = folded.strip_suffix(ending)
                && !matches!(
                    folded.as_str(),
                    "let's" | "that's" | "who's" | "it's" | "there's" | "here's" | "what's"
                )
            {
                folded = cut.to_owned();
                break;
            }
        }
        if let Some(not) = negation(&raw, &folded) {
            folded = not.to_owned();
        }
        self.push(Kind::Word, folded, from, to, &raw);
    }

    fn continues_domain(&self, begin: usize) -> bool {
        // A domain has no capital behind the dot, unless all letters are.
        let next = self.peek(1);
        let label: String = self
            .characters
            .iter()
            .skip(self.at + 1)
            .map(|(_, c)| *c)
            .take_while(|c| c.is_alphanumeric() || *c == '-')
            .collect();
        let is_host = self.text.get(self.byte(begin)..self.byte(self.at)) == Some("www");
        self.at > begin + 1
            && (is_host || (2..=6).contains(&label.len()))
            && next.is_some_and(|c| c.is_ascii_lowercase() || self.is_all_upper(begin))
    }

    fn is_all_upper(&self, begin: usize) -> bool {
        let mut letters = self.characters.iter().take(self.at).skip(begin);
        letters.all(|(_, c)| !c.is_lowercase())
    }

    /// Single letters, each with a dot behind it.
    fn is_initials(&self, begin: usize) -> bool {
        let taken: String = self
            .characters
            .iter()
            .take(self.at)
            .skip(begin)
            .map(|(_, c)| *c)
            .collect();
        let letters: Vec<&str> = taken.split('.').collect();
        let is_single = letters.iter().all(|part| part.chars().count() == 1);
        is_single
            && (letters.len() > 1
                || self.peek(1).is_some_and(char::is_alphabetic) && self.peek(2) == Some('.'))
    }

    fn is_initials_text(&self, text: &str) -> bool {
        text.contains('.') && text.split('.').all(|part| part.len() <= 1)
    }

    fn number(&mut self) {
        let begin = self.at;
        let mut digits = String::new();
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(c), _) if c.is_ascii_digit() => {
                    digits.push(c);
                    self.at += 1;
                }
                (Some(mark), Some(_)) if self.parts_thousands(mark, &digits) => self.at += 1,
                (Some('.'), Some(next)) if next.is_ascii_digit() && !digits.contains('.') => {
                    digits.push('.');
                    self.at += 1;
                }
                (Some(c), _) if c.is_numeric() => self.at += 1,
                _ => break,
            }
        }
        let mut value: f64 = digits.parse().unwrap_or(0.0);
        let is_end = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        match self.peek(0) {
            Some('k' | 'K') if is_end(self.peek(1)) => {
                value *= 1_000.0;
                self.at += 1;
            }
            Some('m' | 'M') if is_end(self.peek(1)) => {
                value *= 1_000_000.0;
                self.at += 1;
            }
            _ => {}
        }
        let (from, to) = (self.byte(begin), self.byte(self.at));
        let raw = self.text.get(from..to).unwrap_or_default().to_owned();
        let text = raw.to_lowercase();
        // 3d, a 2x4: letters right behind digits are one word with them.
        if self.peek(0).is_some_and(char::is_alphabetic) && digits.len() <= 2 && !self.is_unit() {
            self.at = begin;
            while self.peek(0).is_some_and(char::is_alphanumeric) {
                self.at += 1;
            }
            let to = self.byte(self.at);
            let raw = self.text.get(from..to).unwrap_or_default().to_owned();
            self.push(Kind::Word, plain(&raw), from, to, &raw);
            return;
        }
        self.push(Kind::Number(value), text, from, to, &raw);
    }

    /// Whether a mark behind digits parts thousands: three digits follow. "1.500" is one and a half and "50 200" are two numbers, if
    /// the last of them are not zeros, as in "1.000" and "10 000".
    fn parts_thousands(&self, mark: char, digits: &str) -> bool {
        let group: String = (1..=4)
            .map_while(|ahead| self.peek(ahead).filter(char::is_ascii_digit))
            .collect();
        let before = self.characters.iter().take(self.at).rev();
        let before = before.take_while(|(_, c)| c.is_ascii_digit()).count();
        let begins = !digits.contains('.') && !digits.starts_with('0') && before <= 3;
        let is_first = digits.len() <= 3;
        let is_next_group =
            || self.peek(4) == Some(mark) && self.peek(5).is_some_and(|c| c.is_ascii_digit());
        group.len() == 3
            && match mark {
                ',' => true,
                '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}' => begins,
                ' ' => begins && (group.starts_with('0') || is_first && is_next_group()),
                '.' => begins && (group == "000" || is_first && is_next_group()),
                _ => false,
            }
    }

    /// Units that are written without a space: 5yrs, 10y, 3mo, 1990s.
    fn is_unit(&self) -> bool {
        let unit: String = (0..8)
            .map_while(|ahead| self.peek(ahead).filter(|c| c.is_alphabetic()))
            .collect();
        matches!(
            unit.to_lowercase().as_str(),
            "y" | "yr"
                | "yrs"
                | "year"
                | "years"
                | "mo"
                | "mos"
                | "months"
                | "s"
                | "ppl"
                | "employees"
                | "people"
                | "pct"
                | "yoe"
                | "d"
                | "days"
        ) && unit != "d"
    }

    fn mark(&mut self, character: char) {
        let before = self
            .at
            .checked_sub(1)
            .and_then(|at| self.characters.get(at))
            .map(|(_, c)| *c);
        let after = self.peek(1);
        let begin = self.at;
        self.at += 1;
        let is_inside =
            before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        let mark = match character {
            '-' | '‐' | '‑' | '–' | '—' | '−' => {
                let digits = before.is_some_and(|c| c.is_numeric() || matches!(c, '%' | 'k' | ' '))
                    && after.is_some_and(|c| c.is_numeric() || matches!(c, ' ' | '$' | '€'));
                let number_before = self
                    .tokens
                    .last()
                    .is_some_and(|token| token.number().is_some() || token.is_mark('%'));
                let next_digit = (1..4)
                    .find_map(|ahead| {
                        self.characters
                            .get(begin + ahead)
                            .filter(|(_, c)| !c.is_whitespace())
                    })
                    .is_some_and(|(_, c)| c.is_numeric());
                if digits && number_before && next_digit {
                    '–'
                } else if is_inside {
                    // The next word says that it is joined.
                    return;
                } else if matches!(character, '-' | '−') && self.is_minus(begin) {
                    '-'
                } else {
                    '—'
                }
            }
            '!' if after == Some('=') => self.unequal(),
            '<' if after == Some('>') => self.unequal(),
            '!' if before.is_none_or(|c| c.is_whitespace() || c == '(')
                && after.is_some_and(|c| c.is_alphabetic() || flag_letter(c).is_some()) =>
            {
                '≠'
            }
            '≠' | '¬' => '≠',
            '“' | '”' | '„' | '«' | '»' | '"' => '"',
            '‘' | '’' | '\'' | '`' => '\'',
            '[' | '{' => '(',
            ']' | '}' => ')',
            '，' | '、' => ',',
            '•' | '|' | '·' | '→' => ';',
            '\n' => '\n',
            c if c.is_whitespace() => return,
            c @ (',' | ';' | '.' | ':' | '!' | '?' | '(' | ')' | '/' | '&' | '+' | '%' | '$'
            | '€' | '£' | '<' | '>' | '=' | '*' | '#' | '@' | '~' | '≥' | '≤') => c,
            _ => return,
        };
        let (from, to) = (self.byte(begin), self.byte(self.at));
        let raw = mark.to_string();
        self.push(Kind::Mark(mark), raw.clone(), from, to, &raw);
    }

    /// The second character of a sign.
    fn unequal(&mut self) -> char {
        self.at += 1;
        '≠'
    }

    /// Whether a hyphen stands right in front of a word that it leaves out, "CFOs -Texas", and is no bullet of a list.
    fn is_minus(&self, begin: usize) -> bool {
        let before = begin.checked_sub(1).and_then(|at| self.characters.get(at));
        let is_apart = before.is_some_and(|(_, c)| matches!(c, ' ' | '(' | ','));
        let is_bullet = self
            .tokens
            .last()
            .is_none_or(|token| matches!(token.kind, Kind::Mark(':' | ';' | '\n' | '.' | '—')));
        // "Need: -CFOs -in Texas", "non -US", "co -founders"
        let is_in_list = self
            .tokens
            .iter()
            .rev()
            .take_while(|token| !matches!(token.kind, Kind::Mark('\n')))
            .any(|token| matches!(token.kind, Kind::Mark(':')));
        let is_prefix = self.tokens.last().is_some_and(|token| {
            matches!(
                token.text.as_str(),
                "non" | "co" | "pre" | "post" | "ex" | "re" | "multi" | "semi" | "self"
            )
        });
        let is_bullet = is_bullet || is_in_list || is_prefix;
        let is_word =
            |c: char| c.is_alphabetic() || matches!(c, '"' | '“') || flag_letter(c).is_some();
        is_apart && !is_bullet && self.peek(0).is_some_and(is_word)
    }

    fn push(&mut self, kind: Kind, text: String, start: usize, end: usize, raw: &str) {
        let gap = self.tokens.last().map_or(" ", |before| {
            self.text.get(before.end..start).unwrap_or(" ")
        });
        let letters = raw.chars().filter(|c| c.is_alphabetic());
        self.tokens.push(Token {
            kind,
            stem: stem(&text),
            text,
            start,
            end,
            is_capital: raw.chars().next().is_some_and(char::is_uppercase),
            is_upper: letters.clone().count() >= 2 && letters.clone().all(char::is_uppercase),
            is_joined: !gap.is_empty() && gap.chars().all(|c| matches!(c, '-' | '‐' | '‑' | '–')),
            is_glued: gap.is_empty() && !self.tokens.is_empty(),
        });
    }
}

/// The letter that a part of a flag stands for.
pub(crate) fn flag_letter(character: char) -> Option<char> {
    let place = u32::from(character).checked_sub(u32::from('🇦'))?;
    let letter = u8::try_from(place).ok().filter(|place| *place < 26)?;
    Some(char::from(b'a' + letter))
}

/// A word that turns round what follows it, as it is spelled where its apostrophe or its letters are where they belong: a slip of such a
/// word must not be passed over.
fn negation(raw: &str, folded: &str) -> Option<&'static str> {
    Some(match folded {
        "cant" | "ca'nt" | "cann't" => "can't",
        "doesnt" | "does'nt" | "dosent" | "doesent" | "dosnt" | "dosn't" => "doesn't",
        "didnt" | "did'nt" => "didn't",
        "do'nt" => "don't",
        "is'nt" => "isn't",
        "arn't" | "arnt" | "are'nt" | "ar'nt" => "aren't",
        "aint" | "ai'nt" => "ain't",
        "wasnt" | "was'nt" => "wasn't",
        "werent" | "were'nt" => "weren't",
        "havent" | "have'nt" => "haven't",
        "hasnt" | "has'nt" => "hasn't",
        "wouldnt" | "would'nt" => "wouldn't",
        "shouldnt" | "should'nt" => "shouldn't",
        "couldnt" | "could'nt" => "couldn't",
        "mustnt" | "must'nt" => "mustn't",
        "wont" | "wo'nt" => "won't",
        "nto" | "nott" if raw == folded => "not",
        _ => return None,
    })
}

/// Lower case without accents.
pub(crate) fn plain(text: &str) -> String {
    let folded = dialect::fold(text).replace('’', "'");
    if folded.is_ascii() {
        folded
    } else {
        deunicode::deunicode(&folded).to_lowercase()
    }
}

/// The singular of an English word, as far as its ending tells: used on both sides of every comparison, so that it need not
/// be a word.
pub(crate) fn stem(word: &str) -> String {
    if word.len() == 3
        && matches!(
            word,
            "vps" | "gcs" | "aes" | "eas" | "bds" | "mds" | "vcs" | "gms"
        )
    {
        return word.get(..2).unwrap_or(word).to_owned();
    }
    if matches!(word, "yrs" | "mos" | "wks") {
        return word.get(..2).unwrap_or(word).to_owned();
    }
    if word.len() <= 3 || !word.ends_with('s') || !word.is_ascii() {
        return word.to_owned();
    }
    if let Some(base) = word.strip_suffix("sses") {
        return format!("{base}ss");
    }
    if let Some(base) = word.strip_suffix("ies")
        && base.len() > 1
    {
        return format!("{base}y");
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    word.get(..word.len() - 1).unwrap_or(word).to_owned()
}

/// Whether a stem is a unit of time.
pub(crate) fn is_time(stem: &str) -> bool {
    matches!(stem, "year" | "month" | "quarter")
}

/// A phrase as its stems, joined by single spaces.
pub(crate) fn stems(phrase: &str) -> String {
    tokens(phrase)
        .iter()
        .filter(|token| !matches!(token.kind, Kind::Mark('\'' | '"')))
        .map(|token| token.stem.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}
