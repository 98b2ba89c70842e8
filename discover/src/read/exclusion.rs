//! Words that leave out what stands beside them, where that is more than one word in front of it: "all companies but banks", "Texas is
//! excluded", "whose email is missing".
//!
//! What such a word says is never taken for its opposite: where it is not clear what it reaches, its words and what stands beside them are
//! reported together.

use crate::Reason;
use crate::annotate::What;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning};

use super::{Class, Is, Item, Reader};

/// "All … but": of what is named behind "but" all the rest is meant.
const QUANTIFIERS: &[&str] = &[
    "all",
    "any",
    "every",
    "each",
    "whole",
    "entire",
    "everybody",
    "everyone",
    "everything",
    "everywhere",
    "anybody",
    "anyone",
    "anything",
    "anywhere",
    "worldwide",
];

/// Between what is said of and what is said of it.
const COPULAS: &[&str] = &[
    "could",
    "can",
    "would",
    "is",
    "are",
    "be",
    "being",
    "been",
    "was",
    "were",
    "should",
    "must",
    "will",
    "shall",
    "to",
    "has",
    "have",
    "we",
    "you",
    "i",
    "they",
    "that is",
    "that are",
    "which is",
    "which are",
    "should be",
    "must be",
    "to be",
    "currently",
];

/// Behind what is left out, and with a NOT behind what is.
const EXCLUDED: &[&str] = &[
    "excl",
    "excl .",
    "excluded",
    "omitted",
    "left out",
    "removed",
    "skipped",
    "ignored",
    "avoided",
    "banned",
    "unwanted",
    "ruled out",
    "filtered out",
    "aside",
    "out",
];
const INCLUDED: &[&str] = &[
    "included",
    "wanted",
    "desired",
    "allowed",
    "welcome",
    "considered",
    "relevant",
];

/// What is said of a value that nobody knows, and with a NOT of one that is there.
const ABSENT: &[&str] = &[
    "missing",
    "empty",
    "null",
    "blank",
    "unknown",
    "unavailable",
    "absent",
    "none",
    "undefined",
    "lacking",
];
const PRESENT: &[&str] = &[
    "find",
    "be found",
    "known",
    "available",
    "present",
    "given",
    "listed",
    "provided",
    "set",
    "found",
    "there",
    "on file",
    "know",
    "have",
    "filled",
    "filled in",
    "existing",
    "exist",
    "recorded",
    "on record",
];

/// What need not be so.
const OPTIONAL: &[&str] = &[
    "optional",
    "unnecessary",
    "unneeded",
    "irrelevant",
    "unimportant",
];
const NEEDED: &[&str] = &[
    "needed",
    "required",
    "necessary",
    "mandatory",
    "essential",
    "important",
    "a must",
    "need",
    "require",
    "matter",
    "is required",
];

/// Words in front that may leave out what follows, or say that it is all the same.
const UNREAD: &[&str] = &[
    "excluded",
    "omitted",
    "whether",
    "even",
    "besides",
    "less",
    "bar",
    "save",
    "forget",
    "regardless",
    "irrespective",
    "unlike",
    "versus",
    "vs",
    "ban",
    "block",
    "reject",
    "disregard",
    "discard",
    "dismiss",
    "eliminate",
    "optionally",
];

/// What is said of a condition behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The value is not known.
    Absent,
    /// It is.
    Present,
    LeftOut,
    /// It need not be so.
    Free,
}

impl Reader<'_> {
    /// Reads what the words of exclusion reach that do not stand right in front of it.
    pub(super) fn exclusions(&mut self) {
        self.each(Self::behind);
        self.each(Self::absent_in_front);
        self.each(Self::not_only);
        self.each(Self::free_in_front);
        self.each(Self::all_but);
        self.each(Self::by_a_sign);
        self.each(Self::former);
        self.each(Self::at_once);
        self.each(Self::one_of_a_list);
        self.each(Self::unread);
        self.each(Self::included_again);
        self.each(Self::alternative);
    }

    /// Of a list that a word of exclusion and a colon open, line by line, what the end of a line is.
    pub(super) fn end_of_line(&self, at: usize) -> Option<Is> {
        let is_label = |at: usize| {
            let is_colon = self.is_small(at) && self.words(at) == ":";
            is_colon && at.checked_sub(1).is_some_and(|word| self.turns(word))
        };
        let last = self.items.len().checked_sub(1)?;
        let mut clause = (0..=last)
            .rev()
            .take_while(|at| self.what(*at) != Some(&Is::Break));
        match self.text.said(at + 1).as_str() {
            _ if is_label(last) => Some(Is::Noise),
            "—" if clause.any(is_label) => Some(Is::Comma),
            _ => None,
        }
    }

    /// Items may come and go while they are looked at, but only from the one that is on.
    fn each(&mut self, rule: impl Fn(&mut Self, usize)) {
        let mut at = 0;
        while at < self.items.len() {
            rule(self, at);
            at += 1;
        }
    }

    fn what(&self, item: usize) -> Option<&Is> {
        self.items.get(item).map(|item| &item.what)
    }

    fn class(&self, item: usize) -> Option<Class> {
        match self.what(item)? {
            Is::Condition(class, _) => Some(*class),
            _ => None,
        }
    }

    fn words(&self, item: usize) -> String {
        let pieces = self.items.get(item).map(|item| item.from..item.to);
        let said: Vec<String> = pieces
            .into_iter()
            .flatten()
            .map(|at| self.text.said(at))
            .collect();
        said.join(" ")
    }

    fn is_small(&self, item: usize) -> bool {
        self.what(item).is_some_and(Is::is_small)
    }

    fn turns(&self, item: usize) -> bool {
        matches!(self.what(item), Some(Is::Not | Is::Except))
    }

    fn joins(&self, item: usize) -> bool {
        matches!(self.what(item), Some(Is::Or | Is::And | Is::Comma))
    }

    /// The first item from this one on that is no small word.
    fn over_small(&self, item: usize) -> usize {
        item + (item..).take_while(|item| self.is_small(*item)).count()
    }

    /// The last item in front of this one that is no small word.
    fn before_small(&self, item: usize) -> Option<usize> {
        (0..item).rev().find(|item| !self.is_small(*item))
    }

    /// The last of the conditions of one class that begin with this one and stand side by side.
    fn list_end(&self, first: usize) -> usize {
        let mut last = first;
        loop {
            let mut next = last + 1;
            while self.joins(next) || self.is_small(next) {
                next += 1;
            }
            if self.class(next).is_none() || self.class(next) != self.class(first) {
                return last;
            }
            last = next;
        }
    }

    /// The condition that a word joins with this one.
    fn joined_before(&self, item: usize) -> Option<usize> {
        let join = self.before_small(item)?;
        let before = self.before_small(join)?;
        let is_joined = matches!(self.what(join), Some(Is::Or | Is::And));
        // "Email is known and linkedin is missing": of the first something was said already.
        let is_said = (before..join).any(|at| {
            let words = self.words(at);
            let last = words.split(' ').next_back().unwrap_or_default();
            let says = |known: &[&str]| known.contains(&last);
            says(COPULAS) || says(PRESENT) || says(INCLUDED) || says(NEEDED)
        });
        (is_joined && !is_said && self.class(before).is_some()).then_some(before)
    }

    /// The first of the conditions that end with this one and are joined by words: of one class, or all names of a clause that
    /// begins with them.
    fn list_begin(&self, last: usize) -> usize {
        let reach = |from: usize, is_it: &dyn Fn(usize) -> bool| {
            let mut first = from;
            while let Some(before) = self.joined_before(first).filter(|before| is_it(*before)) {
                first = before;
            }
            first
        };
        let is_named = |at: usize| self.class(at).is_some_and(is_name);
        let same = reach(last, &|at| self.class(at) == self.class(last));
        let first = reach(same, &is_named);
        let before = self
            .before_small(first)
            .and_then(|before| self.what(before));
        let begins = matches!(before, Some(Is::Comma | Is::Break));
        if begins && is_named(last) {
            first
        } else {
            same
        }
    }

    /// Reports items together.
    fn report(&mut self, first: usize, last: usize) {
        let ends = (self.items.get(first), self.items.get(last));
        let (Some(from), Some(to)) = (ends.0.map(|one| one.from), ends.1.map(|one| one.to)) else {
            return;
        };
        let what = Is::Unsupported(Reason::NoSuchField);
        self.items.splice(first..=last, [Item { what, from, to }]);
    }

    /// Puts a word in front of an item that is not said there.
    fn insert(&mut self, item: usize, what: Is) {
        let before = item
            .checked_sub(1)
            .and_then(|before| self.items.get(before));
        let place = self.items.get(item).map(|item| item.from);
        if let Some(from) = place.or_else(|| before.map(|item| item.to)) {
            self.items.insert(
                item,
                Item {
                    what,
                    from,
                    to: from,
                },
            );
        }
    }

    /// "Texas is excluded", "whose email is missing", "linkedin not required".
    fn behind(&mut self, item: usize) {
        let Some(class) = self.class(item) else {
            return;
        };
        let to = self.items.get(item).map_or(0, |item| item.to);
        let Some((verdict, end)) = self.verdict(class, item, to) else {
            return;
        };
        let next = item
            + 1
            + self
                .items
                .iter()
                .skip(item + 1)
                .take_while(|one| one.to <= end)
                .count();
        if self.items.get(next).is_some_and(|one| one.from < end) {
            return;
        }
        self.items.drain(item + 1..next);
        if let Some(item) = self.items.get_mut(item) {
            item.to = end;
        }
        let first = self.list_begin(item);
        match verdict {
            Verdict::Absent => self.are_unknown(first, item),
            Verdict::Present => {}
            Verdict::LeftOut => {
                self.insert(item + 1, Is::But);
                for at in (first..=item).rev() {
                    let is_new = at == first || self.class(at.saturating_sub(2)) != self.class(at);
                    if self.class(at).is_some() && is_new {
                        self.insert(at, Is::Not);
                    }
                }
            }
            Verdict::Free => {
                let before = self
                    .before_small(first)
                    .filter(|before| self.turns(*before));
                self.report(before.unwrap_or(first), item);
            }
        }
    }

    fn are_unknown(&mut self, first: usize, last: usize) {
        for item in self.items.get_mut(first..=last).into_iter().flatten() {
            if let Is::Condition(_, cond) = &mut item.what {
                *cond = cond.clone().not();
            }
        }
    }

    /// What is said of a condition by the pieces behind it, and the piece behind those.
    fn verdict(&self, class: Class, item: usize, from: usize) -> Option<(Verdict, usize)> {
        let copulas = |at: usize| self.text.skip(at, COPULAS);
        let mut at = copulas(from);
        if class == Class::Contact && matches!(self.text.said(at).as_str(), ":" | "=") {
            at = copulas(at + 1);
        }
        let is_not = self.denies(at);
        if is_not {
            at = copulas(at + 1);
        }
        self.free(class, item, at, is_not)
            .or_else(|| self.absent(class, from, at, is_not))
            .or_else(|| self.left_out(at, is_not))
    }

    /// Whether a piece turns round what is said of a condition in front of it.
    fn denies(&self, at: usize) -> bool {
        let said = self.text.said(at);
        self.text.may_be(at, Cue::Not) && !said.starts_with("none")
            || self.text.is_mark(at, '≠')
            || matches!(said.as_str(), "cannot" | "can't" | "couldn't" | "cant")
    }

    /// "(Email) optional", "(email) not required", "(no email) needed", "(email) or not"
    fn free(&self, class: Class, item: usize, at: usize, is_not: bool) -> Option<(Verdict, usize)> {
        if let Some(end) = self.text.said_as(at, OPTIONAL).filter(|_| !is_not) {
            return Some((Verdict::Free, end));
        }
        if !matches!(class, Class::Contact | Class::Years) {
            return None;
        }
        let is_either = self.text.may_be(at, Cue::Or) && self.text.said(at + 1) == "not";
        if is_either && self.ends_here(at + 2) {
            return Some((Verdict::Free, at + 2));
        }
        let end = self.text.said_as(at, NEEDED)?;
        let before = self.before_small(self.list_begin(item));
        let is_turned = is_not || before.is_some_and(|before| self.turns(before));
        is_turned.then_some((Verdict::Free, end))
    }

    /// "(Email) is missing", "(email) we don't have", "(email): no"
    fn absent(
        &self,
        class: Class,
        from: usize,
        at: usize,
        is_not: bool,
    ) -> Option<(Verdict, usize)> {
        if class != Class::Contact {
            return None;
        }
        let (said, next) = (self.text.said(at), at + 1);
        let is_no = at > from && matches!(said.as_str(), "no" | "false");
        let lacks = self.text.may_be(at, Cue::Without) && said.ends_with(" have");
        // "Email-less"
        if said == "less" && self.is_joined(at) || (is_no || lacks) && self.ends_here(next) {
            return Some((Verdict::Absent, next));
        }
        let Some(end) = self.text.said_as(at, ABSENT) else {
            let end = self.text.said_as(at, PRESENT).filter(|_| is_not)?;
            return Some((Verdict::Absent, end));
        };
        let end = self.further(end, ABSENT);
        // "With email missing linkedin" says it of what follows.
        let is_in_front = self.text.may_be(at, Cue::Without) && self.is_contact(end);
        let verdict = if is_not {
            Verdict::Present
        } else {
            Verdict::Absent
        };
        (!is_in_front).then_some((verdict, end))
    }

    /// "(Texas) is excluded", "(Texas) not included"
    fn left_out(&self, at: usize, is_not: bool) -> Option<(Verdict, usize)> {
        let said = self.text.said(at);
        // "Out of", and "CFOs not considered managers", go on.
        let ends = |end: &usize| {
            let goes_on = self.text.may_be(*end, Cue::In)
                || self.text.may_be(*end, Cue::At)
                || self.text.said(*end) == "to";
            let is_small = self.text.piece(*end).is_some_and(|piece| piece.is_small());
            self.ends_mark(*end) || is_small && (!goes_on || said == "excluded")
        };
        let is_short = matches!(said.as_str(), "out" | "excl" | "excl .");
        let is_out = |end: &usize| ends(end) && (!is_short || self.ends_here(*end));
        if let Some(end) = self.text.said_as(at, EXCLUDED).filter(is_out) {
            let verdict = if is_not {
                Verdict::Free
            } else {
                Verdict::LeftOut
            };
            return Some((verdict, end));
        }
        let end = self.text.said_as(at, INCLUDED).filter(ends)?;
        match said.as_str() {
            _ if is_not => Some((Verdict::LeftOut, end)),
            "included" => Some((Verdict::Present, end)),
            _ => None,
        }
    }

    /// Whether a text ends in front of a piece, or a mark stands there.
    fn ends_mark(&self, at: usize) -> bool {
        self.text
            .piece(at)
            .is_none_or(|piece| matches!(piece.what, What::Mark(_)))
    }

    fn is_joined(&self, at: usize) -> bool {
        let token = self
            .text
            .piece(at)
            .and_then(|piece| self.text.tokens.get(piece.from));
        token.is_some_and(|token| token.is_joined)
    }

    fn is_contact(&self, at: usize) -> bool {
        self.find(at, |meaning| {
            matches!(meaning, Meaning::Contact(_)).then_some(())
        })
        .is_some()
    }

    /// Over further words of a list: "null or empty".
    fn further(&self, mut end: usize, words: &[&str]) -> usize {
        while let Some(next) = self.separator(end)
            && let Some(behind) = self.text.said_as(next, words)
            && !self.is_contact(behind)
        {
            end = behind;
        }
        end
    }

    /// "Unknown email", "null or empty linkedin": as "no".
    fn absent_in_front(&mut self, item: usize) {
        let is_absent = |at: usize| ABSENT.contains(&self.words(at).as_str());
        let is_word = matches!(
            self.what(item),
            Some(Is::Unknown | Is::Noise | Is::Small | Is::Not)
        );
        if !is_word || !is_absent(item) {
            return;
        }
        let mut last = item;
        while self.joins(last + 1) && is_absent(last + 2) {
            last += 2;
        }
        if self.class(self.over_small(last + 1)) != Some(Class::Contact) {
            return;
        }
        let to = self.items.get(last).map_or(0, |item| item.to);
        self.items.drain(item + 1..=last);
        if let Some(word) = self.items.get_mut(item) {
            word.what = Is::Not;
            word.to = to;
        }
    }

    /// "Not only in Texas" asks for others, too, and "not only CFOs but also CEOs" for both.
    fn not_only(&mut self, item: usize) {
        let only = item + 1;
        let says_only = matches!(
            self.words(only).as_str(),
            "only" | "just" | "necessarily" | "exclusively" | "strictly" | "solely"
        );
        if self.what(item) != Some(&Is::Not) || !says_only {
            return;
        }
        let first = self.over_small(only + 1);
        if self.class(first).is_none() {
            return;
        }
        let last = self.list_end(first);
        let but = if self.what(last + 1) == Some(&Is::Comma) {
            last + 2
        } else {
            last + 1
        };
        if self.what(but) != Some(&Is::But) {
            return self.report(item, last);
        }
        for (at, what) in [(item, Is::Noise), (only, Is::Noise), (but, Is::And)] {
            if let Some(item) = self.items.get_mut(at) {
                item.what = what;
            }
        }
    }

    /// "We don't need email", "with or without linkedin": all the same.
    fn free_in_front(&mut self, item: usize) {
        if !self.turns(item) {
            return;
        }
        let next = item + 1;
        let is_needed = NEEDED.contains(&self.words(next).as_str());
        let is_or = item
            .checked_sub(1)
            .filter(|or| self.what(*or) == Some(&Is::Or));
        let with = is_or.and_then(|or| or.checked_sub(1)).filter(|with| {
            let piece = self.items.get(*with).map(|with| with.from);
            self.is_small(*with) && piece.is_some_and(|at| self.text.may_be(at, Cue::With))
        });
        let first = self.over_small(if is_needed { next + 1 } else { next });
        if self.class(first) == Some(Class::Contact) && (is_needed || with.is_some()) {
            self.report(with.unwrap_or(item), self.list_end(first));
        }
    }

    /// "All companies but banks", "everybody at Oracle but the CEO". Not "all CFOs but only in Texas".
    fn all_but(&mut self, item: usize) {
        if self.what(item) != Some(&Is::But) || self.words(item) != "but" {
            return;
        }
        let is_article = |at: usize| {
            self.is_small(at)
                && matches!(self.words(at).as_str(), "the" | "a" | "an" | "any" | "all")
        };
        let first = item + 1 + (item + 1..).take_while(|at| is_article(*at)).count();
        let is_pronoun = self.is_small(first)
            && matches!(
                self.words(first).as_str(),
                "those" | "these" | "ones" | "that" | "people" | "companies" | "firms"
            );
        let first = if is_pronoun {
            self.over_small(first)
        } else {
            first
        };
        let last = self.list_end(first);
        let behind = self.words(last + 1);
        // "All engineers but US based", "all directors but VPs too"
        let adds = |words: &str| {
            matches!(
                words,
                "only"
                    | "too"
                    | "as well"
                    | "also"
                    | "based"
                    | "level"
                    | "preferred"
                    | "preferably"
                    | "welcome"
                    | "a must"
                    | "is a must"
                    | "must"
            )
        };
        let is_added = adds(&behind)
            || self.words(last).ends_with(" based")
            || matches!(behind.as_str(), "ones" | "is" | "are" | "a")
                && adds(&self.words(last + 2));
        if !self.is_apart(first, is_pronoun)
            || is_added
            || self.is_bounded(first)
            || !self.fits_what_all_is_of(item, first)
            || !self.says_all(item) && !self.is_part(item, first)
        {
            return;
        }
        let is_comma = item
            .checked_sub(1)
            .is_some_and(|before| self.what(before) == Some(&Is::Comma));
        // "All managers, but senior": the rest, or only those?
        if is_comma && first == item + 1 && behind != "ones" && self.class(first).is_some() {
            return self.report(item, last);
        }
        if let Some(but) = self.items.get_mut(item) {
            but.what = Is::Except;
        }
    }

    /// "Director level and up", "at least director"
    fn is_bounded(&self, item: usize) -> bool {
        let words = self.words(item);
        words.starts_with("at least")
            || [
                "and up",
                "or up",
                "and above",
                "or above",
                "or higher",
                "and higher",
            ]
            .iter()
            .any(|bound| words.ends_with(bound))
    }

    /// "Any industry but banking", and not "any industry but Texas": what "all" is said of has a class of its own.
    fn fits_what_all_is_of(&self, item: usize, first: usize) -> bool {
        let Some(before) = item.checked_sub(1) else {
            return true;
        };
        let words = self.words(before);
        let of = words.split(' ').next_back().unwrap_or_default();
        match of {
            "industry" | "industries" | "sector" | "sectors" => {
                self.class(first) == Some(Class::Industry)
            }
            "size" | "sizes" => self.class(first) == Some(Class::Size),
            "level" | "levels" | "seniority" | "title" | "titles" => {
                self.class(first) == Some(Class::Role)
            }
            _ => true,
        }
    }

    /// Whether an item names what may be taken from all: no number, no date and no field that must be known.
    fn is_apart(&self, item: usize, is_pronoun: bool) -> bool {
        match self.what(item) {
            Some(Is::Unknown) => true,
            Some(Is::Condition(class, _)) => is_pronoun || is_name(*class),
            _ => false,
        }
    }

    /// Whether a clause says "all" in front of an item.
    pub(super) fn says_all(&self, item: usize) -> bool {
        let ends = |at: &usize| {
            matches!(self.what(*at), Some(Is::Break | Is::But | Is::Another)) || self.turns(*at)
        };
        let says = |at: usize| {
            let is_word = !matches!(self.what(at), Some(Is::Condition(..)));
            is_word
                && self
                    .words(at)
                    .split(' ')
                    .any(|word| QUANTIFIERS.contains(&word))
        };
        (0..item).rev().take_while(|at| !ends(at)).any(says)
    }

    /// "Europe but the UK"
    fn is_part(&self, item: usize, first: usize) -> bool {
        let is_place = |at| self.class(at) == Some(Class::Place);
        // "Not in Germany but France"
        let is_whole = |at: usize| is_place(at) && !self.is_left_out(at);
        item.checked_sub(1).is_some_and(is_whole) && is_place(first)
    }

    /// "CFOs -Texas Ohio": a sign reaches what stands right behind it. Between two values of one class, "sales -managers", "Austin
    /// -Texas", a hyphen may as well be a dash, and in front of "only" it is one.
    fn by_a_sign(&mut self, item: usize) {
        let sign = self.words(item);
        if self.what(item) != Some(&Is::Not) || !matches!(sign.as_str(), "-" | "≠") {
            return;
        }
        let next = self.over_small(item + 1);
        if self.class(next).is_none() {
            return;
        }
        let before = item.checked_sub(1).filter(|_| sign == "-");
        if before.is_some_and(|before| self.is_nothing_yet(before)) {
            if let Some(dash) = self.items.get_mut(item) {
                dash.what = Is::Noise;
            }
            return;
        }
        let is_dash = before.is_some_and(|before| {
            self.class(before) == self.class(next) && !self.is_region(before)
        }) || self.words(next + 1) == "only";
        if is_dash {
            return self.report(item, next);
        }
        if self.items.get(next + 1).is_some() {
            self.insert(next + 1, Is::But);
        }
    }

    /// "I need -CFOs": nothing was asked for that something could be taken from.
    fn is_nothing_yet(&self, last: usize) -> bool {
        let names_all = |at: usize| {
            let from = self.items.get(at).map(|item| item.from);
            from.is_some_and(|at| {
                self.text.may_be(at, Cue::Companies) || self.text.may_be(at, Cue::People)
            })
        };
        !(0..=last).any(|at| self.class(at).is_some()) && !names_all(last)
    }

    /// Whether an item names several countries or states, of which one may be left out.
    fn is_region(&self, item: usize) -> bool {
        match self.what(item) {
            Some(Is::Condition(Class::Place, Cond::In(_, names))) => names.len() > 1,
            _ => false,
        }
    }

    /// "Ex. Google engineers" were there once.
    fn former(&mut self, item: usize) {
        let is_ex = matches!(self.words(item).as_str(), "ex ." | "ex.");
        if is_ex && self.turns(item) && self.class(item + 1) == Some(Class::Company) {
            self.report(item, item + 1);
        }
    }

    /// "Excluding German banks": banks that are German, neither banks nor what is German.
    fn at_once(&mut self, item: usize) {
        let next = item + 1;
        if self.is_of_unknown(item) {
            return self.report(item, next);
        }
        let is_adjective = match self.class(item) {
            Some(Class::Place) => self.is_demonym(item),
            class => matches!(class, Some(Class::Size | Class::Type)),
        };
        let is_noun = matches!(
            self.class(next),
            Some(Class::Industry | Class::Role | Class::Size | Class::Type)
        );
        if !is_adjective
            || !is_noun
            || self.class(next) == self.class(item)
            || !self.is_left_out(item)
        {
            return;
        }
        let (Some(first), Some(second)) =
            (self.items.get(item).cloned(), self.items.get(next).cloned())
        else {
            return;
        };
        if let (Is::Condition(_, adjective), Is::Condition(class, noun)) = (first.what, second.what)
            && first.to == second.from
        {
            let what = Is::Condition(class, Cond::all(vec![adjective, noun]));
            let both = Item {
                what,
                from: first.from,
                to: second.to,
            };
            self.items.splice(item..=next, [both]);
        }
    }

    /// "Excluding Foobarly banks", and "not at German banks", of which the place is not known.
    fn is_of_unknown(&self, item: usize) -> bool {
        let ends = (self.items.get(item), self.items.get(item + 1));
        let (Some(first), Some(second)) = ends else {
            return false;
        };
        let is_adjacent = first.to == second.from && self.class(item + 1).is_some_and(is_name);
        let is_exception =
            || self.before_small(item).and_then(|before| self.what(before)) == Some(&Is::Except);
        let is_reported = match first.what {
            Is::Unsupported(Reason::CompanyLocation) => self.is_left_out(item),
            Is::Unsupported(_) | Is::Unknown => is_exception(),
            _ => false,
        };
        is_adjacent && is_reported
    }

    fn is_demonym(&self, item: usize) -> bool {
        let piece = self.items.get(item).map(|item| item.from);
        let is_one = |meaning: &Meaning| matches!(meaning, Meaning::Demonym(_)).then_some(());
        piece.is_some_and(|at| self.find(at, is_one).is_some())
    }

    /// Whether an item stands behind a NOT, or in the list behind one.
    fn is_left_out(&self, item: usize) -> bool {
        let mut at = item;
        while let Some(before) = self.before_small(at) {
            if self.turns(before) {
                // "Non-public banks" are banks.
                return self.words(before) != "non";
            }
            if !self.joins(before) && self.class(before).is_none() {
                return false;
            }
            at = before;
        }
        false
    }

    /// "Excluding Texas, banks and Oracle": an exception goes on over kinds, but not over "in" or "with".
    fn one_of_a_list(&mut self, item: usize) {
        if self.what(item) != Some(&Is::Except) {
            return;
        }
        let is_article = |at: &usize| {
            self.is_small(*at)
                && matches!(
                    self.words(*at).as_str(),
                    "the" | "a" | "an" | "any" | "all" | ":" | "—" | "\n"
                )
        };
        let over = |at: usize| at + (at..).take_while(|at| is_article(at)).count();
        let is_labelled = self.words(item).ends_with(':')
            || (item + 1..self.over_small(item + 1)).any(|at| self.words(at) == ":");
        let mut last = self.over_small(item + 1);
        let (mut listed, mut joined) = (Vec::new(), 0);
        while self.class(last).is_some() {
            let join = over(last + 1);
            let join = if self.is_small(join)
                && matches!(self.words(join).as_str(), "ones" | "companies")
            {
                join + 1
            } else {
                join
            };
            let mut next = join;
            while self.joins(next) {
                next += 1;
            }
            let says_and = (join..next).any(|at| matches!(self.what(at), Some(Is::And)));
            let next = over(next);
            if next == join || !self.class(next).is_some_and(is_name) {
                break;
            }
            if self.class(next) != self.class(last) {
                listed.push(next);
            }
            if says_and || is_labelled {
                joined = listed.len();
            }
            last = next;
        }
        listed.truncate(joined);
        for at in listed.into_iter().rev() {
            self.insert(at, Is::Not);
        }
    }

    /// "Europe less the UK", "regardless of email", "whether or not they have linkedin".
    fn unread(&mut self, item: usize) {
        let is_word = matches!(
            self.what(item),
            Some(Is::Unknown | Is::Noise | Is::Small | Is::Unsupported(_))
        );
        let word = self.words(item);
        if !is_word || !UNREAD.contains(&word.as_str()) {
            return;
        }
        let is_if = |at: usize| matches!(self.words(at).as_str(), "whether" | "if" | "when");
        let says_if = is_if(item)
            || is_if(item + 1)
            || is_if(self.over_small(item + 1))
            || word == "even" && self.turns(item + 1);
        let is_label = self.words(item + 1) == ":";
        let mut first = if is_label { item + 2 } else { item + 1 };
        while self.is_small(first)
            || says_if && (is_if(first) || self.joins(first) || self.turns(first))
        {
            first += 1;
        }
        let is_meant = match word.as_str() {
            "even" => says_if,
            "whether" => (item..first).any(|at| self.turns(at)),
            // "Don't forget Texas"
            "forget" | "disregard" | "dismiss" | "discard" | "reject" => {
                !item.checked_sub(1).is_some_and(|before| self.turns(before))
            }
            // A bar may have managers, and money be saved.
            "bar" | "save" => {
                let follows = item.checked_sub(1).and_then(|before| self.what(before));
                let is_behind = matches!(follows, Some(Is::Condition(..) | Is::Comma));
                is_behind && self.class(first) != Some(Class::Role)
            }
            _ => true,
        };
        if is_meant && self.class(first).is_some() {
            self.report(item, self.list_end(first));
        }
    }

    /// "Excluding Texas, including Ohio": Ohio is not left out, and is not all that is asked for.
    fn included_again(&mut self, item: usize) {
        let says = matches!(
            self.words(item).as_str(),
            "include" | "including" | "incl" | "incl ." | "included"
        );
        let first = self.over_small(item + 1);
        if !says || self.class(item).is_some() || self.class(first).is_none() {
            return;
        }
        let ends = |at: &usize| matches!(self.what(*at), Some(Is::Break | Is::Another));
        let clause: Vec<usize> = (0..item).rev().take_while(|at| !ends(at)).collect();
        let turned = clause.iter().position(|at| self.turns(*at));
        if turned.is_some_and(|turned| {
            clause
                .iter()
                .take(turned)
                .any(|at| self.class(*at).is_some())
        }) {
            self.report(item, self.list_end(first));
        }
    }

    /// "Not in Ohio or who have linkedin": what has its own "who" or "with" is no more of what is left out.
    fn alternative(&mut self, item: usize) {
        if self.what(item) != Some(&Is::Or) || self.words(item) != "or" {
            return;
        }
        let next = self.items.get(item + 1).map(|next| next.from);
        let is_own = next.is_some_and(|at| {
            let said = self.text.said(at);
            self.text.may_be(at, Cue::With) && said != "with no"
                || matches!(said.split(' ').next(), Some("who" | "that" | "which"))
        });
        let ends = |at: &usize| matches!(self.what(*at), Some(Is::Break | Is::But | Is::Another));
        let turner = (0..item)
            .rev()
            .take_while(|at| !ends(at))
            .find(|at| self.turns(*at));
        // "Excluding those in Texas or who are managers" leaves out both.
        let is_turned = turner.is_some_and(|at| self.what(at) == Some(&Is::Not));
        if is_own
            && is_turned
            && let Some(or) = self.items.get_mut(item)
        {
            or.what = Is::Another;
        }
    }
}

/// Classes of what may be taken from all.
const fn is_name(class: Class) -> bool {
    matches!(
        class,
        Class::Role
            | Class::Company
            | Class::Industry
            | Class::Size
            | Class::Type
            | Class::Place
            | Class::Name
            | Class::Flag
    )
}
