//! Names that are given: "named Maria", "companies whose name contains labs", a domain, a full name.

use dialect::fold;

use crate::Reason;
use crate::annotate::What;
use crate::cond::{Cond, Within};
use crate::meaning::{Cue, Meaning};
use crate::vocabulary::vocabulary;

use super::silence::is_preposition;
use super::{Class, Is, Reader};

/// Endings that no domain has: "Node.js" is a tool.
const NO_DOMAINS: &[&str] = &["js", "jsx", "ts", "tsx"];

/// Titles and words of them that are stored in full.
const SHORT_TITLES: &[&str] = &[
    "vp", "svp", "evp", "avp", "rvp", "ceo", "cfo", "cto", "coo", "cmo", "cio", "ciso", "chro",
    "cro", "cpo", "sr", "jr", "mgr", "md", "gm",
];

/// Words that are no part of a domain, but say what its parts are: "contains a number".
const NO_PARTS: &[&str] = &[
    "any",
    "anything",
    "both",
    "brand",
    "character",
    "characters",
    "dash",
    "digit",
    "digits",
    "dot",
    "each",
    "either",
    "every",
    "hyphen",
    "hyphens",
    "its",
    "letter",
    "letters",
    "name",
    "names",
    "neither",
    "none",
    "nor",
    "not",
    "nothing",
    "number",
    "numbers",
    "one",
    "only",
    "our",
    "some",
    "something",
    "that",
    "the",
    "their",
    "these",
    "this",
    "those",
    "two",
    "word",
    "words",
    "your",
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

    /// A host, as the domain of the company.
    fn domain(&mut self, at: usize) -> Option<usize> {
        let column = if self.is_person() {
            "company_domain"
        } else {
            "domain"
        };
        if let Some(to) = self
            .part_of_domain(at, column)
            .or_else(|| self.domain_ending(at, column))
        {
            return Some(to);
        }
        let host = |at: usize| -> Option<String> {
            let piece = self.text.piece(at)?;
            let is_one = piece.to == piece.from + 1;
            let token = self.text.tokens.get(piece.from)?;
            let is_tool = token
                .text
                .rsplit('.')
                .next()
                .is_some_and(|ending| NO_DOMAINS.contains(&ending));
            let is_host = is_one
                && !is_tool
                && token.is_word()
                && token.text.contains('.')
                && !token.text.contains('@');
            is_host.then(|| token.text.trim_start_matches("www.").to_owned())
        };
        if self.text.may_be(at, Cue::Domain) {
            let next = self
                .text
                .skip(at + 1, &[":", "is", "=", "\"", "of", "name"]);
            let host = host(next)?;
            return Some(self.condition(
                Class::Company,
                Cond::In(column, vec![host]),
                at,
                next + 1,
            ));
        }
        // A name that has a dot in it is a name.
        if self
            .meanings(at)
            .iter()
            .any(|meaning| matches!(meaning, Meaning::Company(_)))
        {
            return None;
        }
        let host = host(at)?;
        Some(self.condition(Class::Company, Cond::In(column, vec![host]), at, at + 1))
    }

    /// "Domains ending in .io", "whose domain does not start with get". A list of endings is read as a whole or not at all.
    fn part_of_domain(&mut self, at: usize, column: &'static str) -> Option<usize> {
        if !self.text.may_be(at, Cue::Domain) || !self.may_lead_domain(at) {
            return None;
        }
        let is_denied = self.text.may_be(at + 1, Cue::Not) && self.part_of_text(at + 2).is_some();
        let of_domain = &["name", "names", "that", ":"];
        let (within, next) = self.announced_part(at + 1 + usize::from(is_denied), of_domain);
        let (cond, to) = match within? {
            Within::End => self.endings(next, column)?,
            within => {
                let word = self.word_of_domain(at, next)?;
                (Cond::Contains(column, word, within), next + 1)
            }
        };
        let cond = if is_denied { cond.not() } else { cond };
        Some(self.condition(Class::Company, cond, at, to))
    }

    /// ".io, .ai or .dev": endings of domains, and the piece behind them.
    fn endings(&self, at: usize, column: &'static str) -> Option<(Cond, usize)> {
        let (first, mut to) = self.ending(at)?;
        let mut endings = vec![first];
        while let Some((ending, end)) = self.separator(to).and_then(|next| self.ending(next)) {
            endings.push(ending);
            to = end;
        }
        if self.goes_on(to) {
            return None;
        }
        let ends = endings
            .into_iter()
            .map(|ending| Cond::Contains(column, ending, Within::End));
        Some((Cond::any(ends.collect()), to))
    }

    /// Whether what follows the part of a domain may be said of it, too: "… or ai", "… but not bank", "… and ends in .io".
    fn goes_on(&self, to: usize) -> bool {
        let Some(next) = self.separator(to) else {
            let to = to + usize::from(self.text.is_mark(to, '('));
            return self.text.may_be(to, Cue::But) || self.says_not(to);
        };
        let said = self.text.said(next);
        let is_short = said.chars().count() < 4 && !is_preposition(&said);
        self.text.may_be(next - 1, Cue::Or)
            || is_short
            || said.contains('.')
            || self.text.is_mark(next, '.')
            || self.part_of_text(next).is_some()
            || self.text.may_be(next, Cue::But)
            || self.says_not(next)
    }

    /// ".io", and the piece behind it.
    fn ending(&self, at: usize) -> Option<(String, usize)> {
        let piece = self.text.piece(at + 1)?;
        let token = self.text.first_token(at + 1)?;
        let is_one = piece.to == piece.from + 1 && token.is_word() && token.is_glued;
        if !self.text.is_mark(at, '.') || !is_one {
            return None;
        }
        Some((format!(".{}", self.raw(at + 1)?), at + 2))
    }

    /// A plain word, behind which nothing more is said of the domain: "whose domain contains bank".
    fn word_of_domain(&self, domain: usize, at: usize) -> Option<String> {
        let word = self.raw(at)?;
        let is_plain = word.len() > 2 && word.chars().all(|c| c.is_ascii_alphanumeric());
        let is_domain = self.text.said(domain).contains("domain");
        let is_behind = at + 1 >= self.text.pieces.len()
            || matches!(
                self.text
                    .said(at + 1 + usize::from(self.text.is_mark(at + 1, ',')))
                    .as_str(),
                "in" | "with"
            );
        (is_plain && is_domain && is_behind && !NO_PARTS.contains(&word.as_str())).then_some(word)
    }

    /// Whether what stands in front of a domain leaves it as it is: not "not using a .com domain", "email domain".
    fn may_lead_domain(&self, at: usize) -> bool {
        let mut before = self.items.iter().rev();
        let last = before.find(|item| !item.what.is_small());
        let is_other = last.is_some_and(|last| {
            matches!(
                last.what,
                Is::Unknown
                    | Is::Unsupported(_)
                    | Is::Either
                    | Is::Or
                    | Is::And
                    | Is::Condition(Class::Contact, _)
            )
        });
        // "That want a .com domain" have none.
        let turns = |at: usize| {
            let said = self.text.said(at);
            let last = said.rsplit(' ').next().unwrap_or_default();
            matches!(
                last,
                "neither" | "nor" | "need" | "needs" | "want" | "wants"
            )
        };
        !is_other && !(at.saturating_sub(3)..at).any(turns)
    }

    /// "A .ai domain"
    fn domain_ending(&mut self, at: usize, column: &'static str) -> Option<usize> {
        let (ending, to) = self.ending(at)?;
        if !self.text.may_be(to, Cue::Domain) || !self.may_lead_domain(at) || self.goes_on(to + 1) {
            return None;
        }
        // ".ai, .io or .dev domains"
        let is_listed = at.checked_sub(1).is_some_and(|before| {
            self.separator(before).is_some() && !self.text.is_mark(before, ',')
                || self.text.is_mark(before, ',') && before > 1 && self.ending(before - 2).is_some()
        });
        let cond = Cond::Contains(column, ending, Within::End);
        (!is_listed).then(|| self.condition(Class::Company, cond, at, to + 1))
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

    fn part_of_name(&mut self, at: usize) -> Option<usize> {
        // "with "labs" in their name"
        if self.text.is_mark(at, '"')
            && let Some((word, to)) = self.quoted_or_word(at + 1)
        {
            let behind = (to..to + 4).find(|at| self.text.may_be(*at, Cue::Named))?;
            let small =
                (to..behind).all(|at| self.text.piece(at).is_some_and(|piece| piece.is_small()));
            if small && !self.is_person() {
                return Some(self.condition(
                    Class::Name,
                    Cond::Contains("name.cleaned", word, Within::Anywhere),
                    at,
                    behind + 1,
                ));
            }
        }
        let column = [
            (Cue::Surname, "last_name"),
            (Cue::FirstName, "first_name"),
            (Cue::Named, "full_name"),
        ]
        .into_iter()
        .find(|(cue, _)| self.text.may_be(at, *cue))
        .map(|(_, column)| column)?;
        let mut next = at + 1;
        // "whose name does not contain labs"
        let is_denied = self.text.may_be(next, Cue::Not) && self.part_of_text(next + 1).is_some();
        next += usize::from(is_denied);
        let of_name = &[
            ":", "—", "-", "is", "\"", "'", "the", "word", "=", "are", "letter", "letters", "that",
        ];
        let (within, next) = self.announced_part(next, of_name);
        // "Ends with a number": a kind of letters is no word.
        let is_kind = matches!(
            self.text.stem(next + 1).as_str(),
            "number"
                | "digit"
                | "numeral"
                | "vowel"
                | "consonant"
                | "letter"
                | "symbol"
                | "colour"
                | "color"
        );
        let is_any = matches!(self.text.said(next).as_str(), "a" | "an" | "any");
        if within.is_some() && is_kind && is_any {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, next + 2));
        }
        if let Some(within) = within {
            let (word, to) = self.quoted_or_word(next)?;
            let column = if self.is_person() {
                column
            } else {
                "name.cleaned"
            };
            let first = Cond::Contains(column, word, within);
            let (cond, to) = self.further_parts(first, column, to);
            let cond = if is_denied { cond.not() } else { cond };
            return Some(self.condition(Class::Name, cond, at, to));
        }
        // "Companies with CFOs named John"
        let before = at.checked_sub(1);
        let is_of_role = before.is_some_and(|before| self.says_role(before));
        if !self.is_person() && is_of_role && self.text.piece(next).is_some() {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, next + 1));
        }
        if !self.is_person() {
            return self.company_names(at, next);
        }
        let is_name = |at: usize| {
            self.text.piece(at).is_some_and(|piece| {
                let tokens = self
                    .text
                    .tokens
                    .get(piece.from..piece.to)
                    .unwrap_or_default();
                let joins = [Cue::Or, Cue::And, Cue::Not, Cue::In, Cue::At, Cue::With]
                    .iter()
                    .any(|cue| piece.may_be(*cue));
                !joins
                    && !tokens.is_empty()
                    && tokens.iter().all(|token| token.is_word())
                    && (tokens.iter().all(|token| token.is_capital) || piece.meanings().is_empty())
            })
        };
        let mut words = Vec::new();
        let mut to = next;
        while words.len() < 4 && is_name(to) {
            words.push(self.raw(to)?);
            to += 1;
        }
        let mut names = vec![(next, words.join(" "))];
        // "with the last name Nguyen or Tran"
        while words.len() == 1
            && (self.text.may_be(to, Cue::Or)
                || self.text.may_be(to, Cue::And)
                || self.text.is_mark(to, ','))
            && is_name(to + 1)
            && self.meanings(to + 1).is_empty()
        {
            names.push((to + 1, self.raw(to + 1)?));
            to += 2;
        }
        if words.is_empty() {
            return None;
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
        loop {
            let stored = self.find(next, |meaning| match meaning {
                Meaning::Company(name) => Some((name.clone(), next + 1)),
                _ => None,
            });
            let Some((name, end)) = stored.or_else(|| self.unknown_company(next)) else {
                break;
            };
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

    /// A name that the build does not have, as it stands in quotes or as far as it is written in capitals; the piece behind it.
    fn unknown_company(&self, at: usize) -> Option<(String, usize)> {
        if at
            .checked_sub(1)
            .is_some_and(|quote| self.text.is_mark(quote, '"'))
        {
            return self.quoted_or_word(at);
        }
        let is_name = |at: usize| {
            let piece = self.text.piece(at);
            self.text.is_capital(at) && piece.is_some_and(|piece| !piece.is_small())
        };
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
