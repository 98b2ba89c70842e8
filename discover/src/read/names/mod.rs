//! Names that are given: "named Maria", "companies whose name contains labs", a domain, a full name.

mod domains;
mod employers;

use dialect::fold;

use crate::Reason;
use crate::annotate::What;
use crate::cond::{Cond, Within};
use crate::lex::Token;
use crate::meaning::{Cue, Meaning};
use crate::vocabulary::vocabulary;

use super::silence::is_preposition;
use super::{Class, Is, Reader};

/// Titles and words of them that are stored in full.
const SHORT_TITLES: &[&str] = &[
    "vp", "svp", "evp", "avp", "rvp", "ceo", "cfo", "cto", "coo", "cmo", "cio", "ciso", "chro",
    "cro", "cpo", "sr", "jr", "mgr", "md", "gm",
];

/// Words between one for a name and what is said of it: "(name) is the word (labs)".
const OF_NAME: &[&str] = &[
    ":", "—", "-", "is", "\"", "'", "the", "word", "=", "are", "letter", "letters", "that",
];

/// What is no word of a name, but a kind of its letters.
const KINDS_OF_LETTERS: &[&str] = &[
    "number",
    "digit",
    "numeral",
    "vowel",
    "consonant",
    "letter",
    "symbol",
    "colour",
    "color",
];

/// So many names at most are read without a word for them.
const MAX_NAMES: usize = 50;

impl Reader<'_> {
    pub(super) fn named(&mut self, at: usize) -> Option<usize> {
        self.domain(at)
            .or_else(|| self.title_text(at))
            .or_else(|| self.part_of_name(at))
            .or_else(|| self.word_in_name(at))
            .or_else(|| self.full_name(at))
            .or_else(|| self.given_names(at))
    }

    fn raw(&self, at: usize) -> Option<String> {
        let piece = self.text.piece(at)?;
        let tokens = self.text.tokens.get(piece.from..piece.to)?;
        Some(fold(
            &tokens
                .iter()
                .map(|token| token.text.as_str())
                .collect::<Vec<_>>()
                .join(" "),
        ))
    }

    /// "job title contains talent".
    fn title_text(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || !self.text.may_be(at, Cue::Title) {
            return None;
        }
        let of_title = &[
            ":", "—", "is", "\"", "'", "the", "word", "=", "of", "like", "such", "as",
        ];
        // "Whose title does not end with manager"
        let is_denied = self.text.may_be(at + 1, Cue::Not) && self.part_of_text(at + 2).is_some();
        let (within, next) = self.announced_part(at + 1 + usize::from(is_denied), of_title);
        let within = within.unwrap_or(Within::Anywhere);
        let is_head = self.text.stem(next).split(' ').next() == Some("head");
        let has_role = is_head || self.meanings(next).iter().any(Meaning::is_role);
        let is_quoted = self.text.is_mark(next.checked_sub(1)?, '"');
        if has_role && !is_quoted && !is_denied && within == Within::Anywhere {
            return None;
        }
        // "A director title and in sales" names no word.
        let said = self.text.said(next);
        let joins = [Cue::And, Cue::Or, Cue::With]
            .iter()
            .any(|cue| self.text.may_be(next, *cue));
        if !is_quoted && (joins || is_preposition(&said) || said == "who") {
            return None;
        }
        let word = self.quoted_or_word(next)?;
        // Titles have such words in full.
        let is_short = SHORT_TITLES.contains(&word.0.as_str());
        if is_short && within != Within::Anywhere {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, word.1));
        }
        let cond = Cond::Contains("job_title", word.0, within);
        let cond = if is_denied { cond.not() } else { cond };
        Some(self.condition(Class::Role, cond, at, word.1))
    }

    /// Words up to the closing quote, or one phrase; the piece behind them.
    fn quoted_or_word(&self, at: usize) -> Option<(String, usize)> {
        let before = at.checked_sub(1);
        if let Some(mark) = before.and_then(|before| match self.text.piece(before)?.what {
            What::Mark(mark @ ('"' | '\'')) => Some(mark),
            _ => None,
        }) {
            let end = (at..at + 8).find(|end| self.text.is_mark(*end, mark))?;
            let words: Vec<String> = (at..end).filter_map(|at| self.raw(at)).collect();
            return (!words.is_empty()).then(|| (words.join(" "), end + 1));
        }
        let piece = self.text.piece(at)?;
        matches!(piece.what, What::Phrase(_) | What::Number(_))
            .then(|| Some((self.raw(at)?, at + 1)))?
    }

    /// "Named Maria", "whose name contains labs", "the companies named Klarna and N26".
    fn part_of_name(&mut self, at: usize) -> Option<usize> {
        if self.text.is_mark(at, '"') {
            return self.quoted_in_name(at);
        }
        let column = self.column_of_name(at)?;
        // "whose name does not contain labs"
        let is_denied = self.text.may_be(at + 1, Cue::Not) && self.part_of_text(at + 2).is_some();
        let (within, next) = self.announced_part(at + 1 + usize::from(is_denied), OF_NAME);
        if let Some(within) = within {
            if self.is_any_of_kind(next) {
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, next + 2));
            }
            let (word, to) = self.quoted_or_word(next)?;
            let first = Cond::Contains(column, word, within);
            let (cond, to) = self.further_parts(first, column, to);
            let cond = if is_denied { cond.not() } else { cond };
            let class = match column {
                "company_name" => Class::Company,
                _ => Class::Name,
            };
            return Some(self.condition(class, cond, at, to));
        }
        if column == "company_name" {
            return self.employer_names(at, next);
        }
        if self.is_person() {
            return self.person_names(at, next, column);
        }
        // "Companies with CFOs named John"
        let before = at.checked_sub(1);
        let is_of_role = before.is_some_and(|before| self.says_role(before));
        if is_of_role && self.text.piece(next).is_some() {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, next + 1));
        }
        self.company_names(at, next)
    }

    /// "(With) "labs" in their name"
    fn quoted_in_name(&mut self, at: usize) -> Option<usize> {
        const MAX_BETWEEN: usize = 4;
        let (word, to) = self.quoted_or_word(at + 1)?;
        let behind = (to..to + MAX_BETWEEN).find(|at| self.text.may_be(*at, Cue::Named))?;
        let is_small = |at| self.text.piece(at).is_some_and(|piece| piece.is_small());
        if self.is_person() || !(to..behind).all(is_small) {
            return None;
        }
        let (within, from) = self.part_led_to(at);
        while self.items.pop_if(|last| last.from >= from).is_some() {}
        let cond = Cond::Contains("name.cleaned", word, within);
        Some(self.condition(Class::Name, cond, from, behind + 1))
    }

    /// "(End in) "foods" (by name)": what in front says of which part of the name a word is, and where that begins.
    fn part_led_to(&self, at: usize) -> (Within, usize) {
        let led = (1..=2).find_map(|back| {
            let from = at.checked_sub(back)?;
            let (within, behind) = self.part_of_text(from)?;
            (behind == at && within != Within::Anywhere).then_some((within, from))
        });
        led.unwrap_or((Within::Anywhere, at))
    }

    /// "Last name", "first name", "named", "company name"
    fn column_of_name(&self, at: usize) -> Option<&'static str> {
        let columns = [
            (Cue::Surname, "last_name"),
            (Cue::FirstName, "first_name"),
            (Cue::Named, "full_name"),
        ];
        let mut said = columns
            .into_iter()
            .filter(|(cue, _)| self.text.may_be(at, *cue));
        let (_, column) = said.next()?;
        Some(match column {
            _ if !self.is_person() => "name.cleaned",
            "full_name" if self.names_employer(at) => "company_name",
            column => column,
        })
    }

    /// "(Ends with) a number": a kind of letters is no word.
    fn is_any_of_kind(&self, at: usize) -> bool {
        matches!(self.text.said(at).as_str(), "a" | "an" | "any")
            && KINDS_OF_LETTERS.contains(&self.text.stem(at + 1).as_str())
    }

    /// "(Named) Maria Garcia", "(with the last name) Nguyen or Tran"
    fn person_names(&mut self, at: usize, first: usize, column: &'static str) -> Option<usize> {
        const MAX_WORDS: usize = 4;
        let mut words = Vec::new();
        let mut to = first;
        while words.len() < MAX_WORDS && self.is_word_of_name(to) {
            words.push(self.raw(to)?);
            to += 1;
        }
        if words.is_empty() {
            return None;
        }
        let mut names = vec![(first, words.join(" "))];
        // "with the last name Nguyen or Tran"
        while words.len() == 1 && self.joins_name(to) {
            names.push((to + 1, self.raw(to + 1)?));
            to += 2;
        }
        let each = names.into_iter().map(|(at, name)| {
            if column == "full_name" && !name.contains(' ') {
                self.name_of_one_word(at, name)
            } else {
                Cond::In(column, vec![name])
            }
        });
        let cond = Cond::any(each.collect());
        Some(self.condition(Class::Name, cond, at, to))
    }

    /// Whether a piece may be part of a name: in capitals, or a word that nothing knows.
    fn is_word_of_name(&self, at: usize) -> bool {
        let Some(piece) = self.text.piece(at) else {
            return false;
        };
        let tokens = self.text.tokens.get(piece.from..piece.to);
        let tokens = tokens.unwrap_or_default();
        let joins = [Cue::Or, Cue::And, Cue::Not, Cue::In, Cue::At, Cue::With];
        !joins.iter().any(|cue| piece.may_be(*cue))
            && !tokens.is_empty()
            && tokens.iter().all(Token::is_word)
            && (tokens.iter().all(|token| token.is_capital) || piece.meanings().is_empty())
    }

    /// "(Nguyen) or Tran"
    fn joins_name(&self, at: usize) -> bool {
        (self.text.may_be(at, Cue::Or)
            || self.text.may_be(at, Cue::And)
            || self.text.is_mark(at, ','))
            && self.is_word_of_name(at + 1)
            && self.meanings(at + 1).is_empty()
    }

    /// Further parts that a name may have: "starts with neo or ends with tech", "contains "sun" or "wind"".
    fn further_parts(&self, first: Cond, column: &'static str, mut to: usize) -> (Cond, usize) {
        let Cond::Contains(_, _, mut within) = first else {
            return (first, to);
        };
        let mut conds = vec![first];
        // "Begins with A and ends with Z"
        if self.text.may_be(to, Cue::And)
            && let Some((within, next)) =
                self.part_of_text(to + 1).filter(|_| self.says_part(to + 1))
            && let Some((word, end)) = self.quoted_or_word(self.text.skip(next, &["\""]))
        {
            conds.push(Cond::Contains(column, word, within));
            return (Cond::all(conds), end);
        }
        // "Ends with bank, trust or insurance"
        if let Some((words, end)) = self.listed_words(to) {
            let further = words.into_iter();
            conds.extend(further.map(|word| Cond::Contains(column, word, within)));
            return (Cond::any(conds), end);
        }
        while self.text.may_be(to, Cue::Or) {
            let part = self.part_of_text(to + 1).filter(|_| self.says_part(to + 1));
            let is_quoted = self.text.is_mark(to + 1, '"');
            let next = match part {
                Some((of_part, next)) => {
                    within = of_part;
                    next
                }
                None if is_quoted => to + 1,
                None => break,
            };
            let next = self.text.skip(next, &["\"", "the", "word"]);
            let Some((word, end)) = self.quoted_or_word(next) else {
                break;
            };
            conds.push(Cond::Contains(column, word, within));
            to = end;
        }
        (Cond::any(conds), to)
    }

    /// Words without quotes that a list with "or" goes on with up to the end of the text or of a sentence.
    fn listed_words(&self, mut at: usize) -> Option<(Vec<String>, usize)> {
        let mut words = Vec::new();
        loop {
            let is_last = self.text.may_be(at, Cue::Or);
            let next = at + 1;
            let is_word = self.text.piece(next).is_some_and(|piece| {
                let is_phrase = matches!(piece.what, What::Phrase(_));
                is_phrase && !piece.is_small() && piece.to == piece.from + 1
            });
            let is_other = self.is_person() && !self.meanings(next).is_empty();
            if !is_last && !self.text.is_mark(at, ',') || !is_word || is_other {
                return None;
            }
            words.push(self.raw(next)?);
            at = next + 1;
            if is_last {
                let is_end = self.text.piece(at).is_none() || self.text.is_mark(at, '.');
                return is_end.then_some((words, at));
            }
        }
    }

    /// Whether a piece says what a name has, and is not "with" or "including" alone.
    fn says_part(&self, at: usize) -> bool {
        !self.text.may_be(at, Cue::With) && !self.text.may_be(at, Cue::Filler)
    }

    /// Which part of a text is announced over words that only lead to it, and the piece behind.
    fn announced_part(&self, mut at: usize, passed: &[&str]) -> (Option<Within>, usize) {
        let mut within = None;
        loop {
            if let Some((part, to)) = self.part_of_text(at) {
                within = within.or(Some(part));
                at = to;
            } else if passed.contains(&self.text.said(at).as_str()) {
                at += 1;
            } else {
                return (within, at);
            }
        }
    }

    /// Where in a text the part of it stands that a piece announces: "contains", "starting with", "ends in"; and the piece behind.
    fn part_of_text(&self, at: usize) -> Option<(Within, usize)> {
        let ends = matches!(
            self.text.said(at).as_str(),
            "ends" | "end" | "ending" | "that ends"
        );
        // Two pieces: "front end with React" ends in nothing.
        if ends && matches!(self.text.said(at + 1).as_str(), "with" | "in") {
            return Some((Within::End, at + 2));
        }
        let places = [
            (Cue::StartsWith, Within::Beginning),
            (Cue::Contains, Within::Anywhere),
        ];
        let said = places
            .into_iter()
            .find(|(cue, _)| self.text.may_be(at, *cue));
        said.map(|(_, within)| (within, at + 1))
    }

    /// "Named Smith": a name of one word is that by which persons of the build have it, a first or a last name or either. One that
    /// nobody has is a first name.
    fn name_of_one_word(&self, at: usize, name: String) -> Cond {
        let known = self.text.piece(at).map(|piece| piece.name);
        let known = known.unwrap_or_default();
        let as_one = |column| Cond::In(column, vec![name.clone()]);
        match (known.given, known.family) {
            (true, true) => Cond::any(vec![as_one("first_name"), as_one("last_name")]),
            (false, true) => as_one("last_name"),
            _ => as_one("first_name"),
        }
    }

    /// "the companies named Klarna, N26 and Revolut".
    fn company_names(&mut self, at: usize, mut next: usize) -> Option<usize> {
        let mut names = Vec::new();
        let mut to = next;
        while let Some((name, end)) = self.company_name(next) {
            names.push(name);
            to = end;
            let mut behind = to;
            while self.text.is_mark(behind, ',')
                || self.text.may_be(behind, Cue::And)
                || self.text.may_be(behind, Cue::Or)
            {
                behind += 1;
            }
            if behind == to {
                break;
            }
            next = behind;
        }
        (!names.is_empty())
            .then(|| self.condition(Class::Name, Cond::In("name.cleaned", names), at, to))
    }

    /// A name of the build, or one that it does not have; the piece behind it. "Bank of Japan" is not the "Bank" of the build.
    fn company_name(&self, at: usize) -> Option<(String, usize)> {
        let goes_on = self.is_inside_name(at + 1);
        let stored = self.find(at, |meaning| match meaning {
            Meaning::Company(name) if !goes_on => Some((name.clone(), at + 1)),
            _ => None,
        });
        stored.or_else(|| self.unknown_company(at))
    }

    /// Whether a piece is a word in capitals that may be part of a name.
    fn is_in_capitals(&self, at: usize) -> bool {
        let piece = self.text.piece(at);
        self.text.is_capital(at) && piece.is_some_and(|piece| !piece.is_small())
    }

    /// Whether a small word joins the parts of a name: "(Bank) of (Japan)", "(University of Texas) at (Austin)".
    fn is_inside_name(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let is_behind = || self.is_in_capitals(before) && self.is_in_capitals(at + 1);
        match self.text.said(at).as_str() {
            "of" => is_behind(),
            "at" => is_behind() && self.is_university_of(before),
            _ => false,
        }
    }

    /// "(University of) Texas"
    fn is_university_of(&self, at: usize) -> bool {
        let said = |back| at.checked_sub(back).map(|at| self.text.said(at));
        said(1).as_deref() == Some("of") && said(2).as_deref() == Some("university")
    }

    /// A name that the build does not have, as it stands in quotes or as far as it is written in capitals; the piece behind it.
    fn unknown_company(&self, at: usize) -> Option<(String, usize)> {
        let from = at;
        if at
            .checked_sub(1)
            .is_some_and(|quote| self.text.is_mark(quote, '"'))
        {
            return self.quoted_or_word(at);
        }
        let is_name = |at: usize| self.is_in_capitals(at) || at > from && self.is_inside_name(at);
        // "St. Gallen"
        let is_dot = |at: usize| {
            let before = at.checked_sub(1).map(|before| self.text.said(before));
            let is_short = before
                .is_some_and(|short| matches!(short.as_str(), "st" | "ste" | "dr" | "mt" | "ft"));
            self.text.is_mark(at, '.') && is_short && is_name(at + 1)
        };
        let end = (at..).find(|at| !is_name(*at) && !is_dot(*at))?;
        let words = (at..end).filter(|at| !is_dot(*at));
        let words: Vec<String> = words.filter_map(|at| self.raw(at)).collect();
        (!words.is_empty()).then(|| (words.join(" "), end))
    }

    /// "Maria or Ana in Spain": first names of the build where a text begins, all in capitals and nothing else. One alone is none,
    /// unless the text began with names: "…, or Luis in Colombia".
    fn given_names(&mut self, at: usize) -> Option<usize> {
        let first = self.items.iter().find(|item| !item.what.is_small());
        let goes_on = first.is_some_and(|item| matches!(item.what, Is::Condition(Class::Name, _)));
        let is_joined = |before| self.separator(before) == Some(at);
        let begins = at == 0 || goes_on && at.checked_sub(1).is_some_and(is_joined);
        let is_given = |at: usize| {
            let piece = self.text.piece(at);
            let is_known = piece.is_some_and(|piece| piece.name.given);
            let said = self.text.said(at);
            let is_word = vocabulary().is_common(&said) || vocabulary().is_plain(&said);
            is_known && !is_word && self.text.is_capital(at) && self.meanings(at).is_empty()
        };
        if !self.is_person() || !begins || !is_given(at) {
            return None;
        }
        let (mut names, mut to) = (vec![self.raw(at)?], at + 1);
        while names.len() < MAX_NAMES
            && let Some(next) = self.separator(to).filter(|next| is_given(*next))
        {
            names.push(self.raw(next)?);
            to = next + 1;
        }
        let says_where = self.text.may_be(to, Cue::In) && self.is_place_at(to + 1);
        (says_where && (goes_on || names.len() > 1))
            .then(|| self.condition(Class::Name, Cond::In("first_name", names), at, to))
    }

    fn full_name(&mut self, at: usize) -> Option<usize> {
        let name = self.find(at, |meaning| match meaning {
            Meaning::FullName(name) => Some(name.clone()),
            _ => None,
        })?;
        Some(self.condition(Class::Name, Cond::In("full_name", vec![name]), at, at + 1))
    }
}
