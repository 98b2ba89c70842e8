//! What is said of a condition behind it, and in front of it where that is the same: that its value is not known, that it is left out,
//! that it need not be so.

use crate::annotate::What;
use crate::meaning::{Cue, Meaning};

use super::super::{Class, Is, Reader};
use super::is_name;

/// Between what is said of and what is said of it.
pub(super) const COPULAS: &[&str] = &[
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
    "out of scope",
    "off limits",
    "forbidden",
    "prohibited",
];
pub(super) const INCLUDED: &[&str] = &[
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
    "zero",
];
pub(super) const PRESENT: &[&str] = &[
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
/// Behind a NOT in front of those: "not strictly (necessary)".
const DEGREES: &[&str] = &[
    "strictly",
    "absolutely",
    "really",
    "necessarily",
    "actually",
    "always",
    "particularly",
    "so",
    "that",
    "very",
];
pub(super) const NEEDED: &[&str] = &[
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
    /// "Texas is excluded", "whose email is missing", "linkedin not required".
    pub(super) fn behind(&mut self, item: usize) {
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
            Verdict::LeftOut if first == item && self.parts_levels(item) => {
                self.are_left_out(item + 2, item + 2);
            }
            Verdict::LeftOut => {
                let first = self.whole_list_begin(first, item);
                match self.phrase_begin(first, item) {
                    Some(begin) => {
                        self.insert(item + 1, Is::But);
                        self.insert(begin, Is::Unwanted);
                    }
                    None => self.are_left_out(first, item),
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

    /// "Interns and contractors excluded": what a word that is not understood ends is left out, too.
    pub(super) fn behind_unknown(&mut self, item: usize) {
        let Some(to) = self.items.get(item).map(|item| item.to) else {
            return;
        };
        let end = self.left_out(self.text.skip(to, COPULAS), false);
        let (Some(Is::Unknown), Some((Verdict::LeftOut, _))) = (self.what(item), end) else {
            return;
        };
        if let Some(last) = self
            .joined_before(item)
            .filter(|at| self.class(*at).is_some_and(is_name))
        {
            let first = self.whole_list_begin(self.list_begin(last), item);
            self.are_left_out(first, last);
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
            at = self.text.skip(copulas(at + 1), DEGREES);
        }
        self.free(class, item, at, is_not)
            .or_else(|| self.absent(class, from, at, is_not))
            .or_else(|| self.unneeded(class, item, at, is_not))
            .or_else(|| self.left_out(at, is_not))
    }

    /// "(Interns) not needed": who is not needed is left out, "(Texas) not required" need not be so.
    fn unneeded(
        &self,
        class: Class,
        item: usize,
        at: usize,
        is_not: bool,
    ) -> Option<(Verdict, usize)> {
        let end = self.text.said_as(at, NEEDED).filter(|_| is_not)?;
        // "Nurses in Texas we don't need managers", "managers not needed to apply"
        let is_active = matches!(self.text.said(at).as_str(), "need" | "require" | "matter");
        if is_active && !self.ends_here(end) || self.text.said(end) == "to" {
            return None;
        }
        let is_whom = !matches!(class, Class::Place | Class::Flag) && is_name(class);
        // "Directors, nurses in Texas not needed"
        let is_phrase = || self.phrase_begin(self.list_begin(item), item).is_some();
        let verdict = if self.text.said(at) == "needed" && (is_whom || is_phrase()) {
            Verdict::LeftOut
        } else {
            Verdict::Free
        };
        Some((verdict, end))
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
        // "Excluded: banks" says it of what follows.
        let is_label = |end: &usize| self.text.is_mark(*end, ':');
        let is_out =
            |end: &usize| ends(end) && !is_label(end) && (!is_short || self.ends_here(*end));
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
        let token = self.text.first_token(at);
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
    pub(super) fn absent_in_front(&mut self, item: usize) {
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

    /// "We don't need email", "with or without linkedin": all the same.
    pub(super) fn free_in_front(&mut self, item: usize) {
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
}
