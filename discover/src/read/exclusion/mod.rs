//! Words that leave out what stands beside them, where that is more than one word in front of it: "all companies but banks", "Texas is
//! excluded", "whose email is missing".
//!
//! What such a word says is never taken for its opposite: where it is not clear what it reaches, its words and what stands beside them are
//! reported together.

mod adjectives;
mod ends;
mod items;
mod leading;
mod left_out;
mod parts;
mod unread;
mod unwanted;
mod verdict;

use crate::combine::is_list;
use crate::cond::Cond;
use crate::meaning::Cue;

use super::{Class, Is, Reader};

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

impl Reader<'_> {
    /// Reads what the words of exclusion reach that do not stand right in front of it.
    pub(super) fn exclusions(&mut self) {
        self.each(Self::behind);
        self.each(Self::behind_unknown);
        self.each(Self::absent_in_front);
        self.each(Self::not_only);
        self.each(Self::either_way);
        self.each(Self::asks_by_not);
        self.each(Self::not_one);
        self.each(Self::dash_in_front);
        self.each(Self::leading);
        self.each(Self::leading_somewhere);
        self.each(Self::only_behind);
        self.each(Self::asked_again);
        self.each(Self::waived);
        self.each(Self::ends_unwanted);
        self.each(Self::asked_behind);
        self.each(Self::nor);
        self.each(Self::within);
        self.each(Self::state_of_city);
        self.each(Self::turns_a_word);
        self.each(Self::free_in_front);
        self.each(Self::all_but);
        self.each(Self::by_a_sign);
        self.each(Self::former);
        self.each(Self::at_once);
        self.each(Self::one_of_a_list);
        self.each(Self::and_those);
        self.each(Self::excluded_in);
        self.each(Self::unread);
        self.each(Self::not_done);
        self.each(Self::nowhere_else);
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
    pub(super) fn is_bounded(&self, item: usize) -> bool {
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

    /// Whether an item stands behind a NOT, or in the list behind one.
    pub(super) fn is_left_out(&self, item: usize) -> bool {
        let (mut at, mut is_one_list, mut is_behind_reported) = (item, true, false);
        while let Some(before) = self.before_small(at) {
            if self.turns(before) {
                // "Non-public banks" are banks.
                return self.words(before) != "non";
            }
            // "Excluding Foobarly and German banks": what is not understood is one of the list. "Excluding Foobarly, German banks" may
            // seek those.
            is_one_list &= self.what(at) != Some(&Is::Comma);
            let joins = matches!(self.what(at), Some(Is::Or | Is::And));
            let is_listed =
                is_one_list && self.is_reported(before) && (joins || self.is_reported(at));
            if !self.joins(before) && self.class(before).is_none() && !is_listed {
                return false;
            }
            // "Excluding Texas, crypto or German banks": the NOT is that of Texas.
            if self.class(before).is_some() && is_behind_reported {
                return false;
            }
            is_behind_reported |= is_listed;
            at = before;
        }
        false
    }

    /// "Excluding Texas, banks and Oracle": an exception goes on over kinds, but not over "in" or "with".
    fn one_of_a_list(&mut self, item: usize) {
        if !matches!(self.what(item), Some(Is::Except | Is::Unwanted)) {
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
            let is_unwanted = self.what(item) == Some(&Is::Unwanted);
            let says_and = (join..next).any(|at| match self.what(at) {
                Some(Is::And) => true,
                Some(Is::Or) => is_unwanted,
                _ => false,
            });
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
    is_list(class) || matches!(class, Class::Flag)
}
