//! What a text leaves out before it asks for anything, and where that ends: "no interns, nurses in Texas".

use crate::cond::Cond;
use crate::meaning::is_adjective;

use super::super::roles::ends_in_people;
use super::super::{Class, Is, Item, Reader};

/// Behind these, too, what is left out goes on: "not managers and anyone at Google".
const ANYONE: &[&str] = &["anyone", "anybody"];

/// Behind these a list of what is left out is to be expected.
const LISTING: &[&str] = &[
    "neither",
    "exclude",
    "please exclude",
    "skip",
    "omit",
    "ignore",
    "drop",
    "remove",
    "avoid",
    "leave out",
    "filter out",
    "rule out",
];

/// Behind one thing that is taken out by these comes what it is taken from: "except for managers, sales people".
const APART: &[&str] = &[
    "except",
    "except for",
    "other than",
    "apart from",
    "aside from",
    "with the exception of",
    "save for",
];

/// In front of what is asked for.
const REQUESTS: &[&str] = &[
    "find", "show", "give", "get", "need", "want", "keep", "only", "just",
];

/// Who may be left out beside what was named.
const THOSE: &[&str] = &[
    "those",
    "people",
    "persons",
    "everyone",
    "everybody",
    "companies",
    "firms",
    "businesses",
    "ones",
    "employees",
    "staff",
    "folks",
];

impl Reader<'_> {
    /// Whether all that was read so far is that something is left out: "no", "people not in".
    pub(in crate::read) fn begins_with_not(&self) -> bool {
        let is_not = |at: usize| matches!(self.what(at), Some(Is::Not | Is::Except));
        let mut items = 0..self.items.len();
        items.clone().any(is_not) && items.all(|at| is_not(at) || self.is_small(at))
    }

    /// "No interns, nurses in Texas": where a text begins with one thing that is left out, the other kind behind the comma is asked
    /// for, if it says who and more is said of it, also where nobody knows what is left out ("no contractors, nurses in Ohio"). "No recruiters, nurses", "no managers, sales", "no interns, nurses" and "no interns,
    /// nurses or doctors" are lists.
    pub(super) fn leading(&mut self, comma: usize) {
        let (Some(Is::Comma), Some(turn)) = (self.what(comma), self.turn_before(comma)) else {
            return;
        };
        let (first, next) = (self.over_small(turn + 1), self.over_small(comma + 1));
        let is_first = !(0..turn).any(|at| !self.is_small(at));
        let is_of_all = self.what(turn) == Some(&Is::Except)
            && (self.says_who(turn) || self.words(turn).starts_with("all "));
        let is_unread = self.what(first) == Some(&Is::Unknown) && self.what(turn) == Some(&Is::Not);
        let are_two = self.before_small(comma) == Some(first)
            && self.class(next) == Some(Class::Role)
            && (is_unread
                || self.class(first) == Some(Class::Role) && self.list_end(first) == next);
        let is_bare_list = self.text_joins(first) && self.parts_last(first, first);
        if is_first
            && !is_of_all
            && are_two
            && !is_bare_list
            && (!self.begins_list(turn, first) || self.says_request(comma + 1, next))
            && self.what(turn) != Some(&Is::Unwanted)
            && self.is_asked(turn, comma, next)
            && (is_unread || self.are_apart(first, next) || self.is_other_noun(first, next))
        {
            self.becomes(comma, Is::But);
        }
    }

    /// "No interns at Google, engineers in Rome": where a text begins with somebody who is left out and with where that is, another kind
    /// behind the comma, of which more is said, is asked for, and the first are left out only there.
    pub(super) fn leading_somewhere(&mut self, comma: usize) {
        let (Some(Is::Comma), Some(turn)) = (self.what(comma), self.turn_before(comma)) else {
            return;
        };
        let (first, next) = (self.over_small(turn + 1), self.over_small(comma + 1));
        let place = self.over_small(first + 1);
        let are_roles = [first, next]
            .iter()
            .all(|at| self.class(*at) == Some(Class::Role));
        let is_not = matches!(self.what(turn), Some(Is::Not | Is::Except)) && !self.says_who(turn);
        let is_first = is_not && !(0..turn).any(|at| !self.is_small(at));
        if is_first
            && are_roles
            && self.says_where(first, place, comma)
            && self.is_asked(turn, comma, next)
            && self.is_somebody_else(first, place, next)
        {
            self.becomes(comma, Is::But);
            self.are_at_once(first, place, comma);
        }
    }

    /// Whether behind who is left out and a preposition stand places or employers, and nothing else up to the comma.
    fn says_where(&self, first: usize, place: usize, comma: usize) -> bool {
        let is_where = matches!(
            self.class(place),
            Some(Class::Company | Class::Place | Class::Industry)
        );
        is_where && place > first + 1 && self.before_small(comma) == Some(self.list_end(place))
    }

    /// Whether who stands behind the comma is of another kind, or is somewhere of their own: "no managers in Texas, directors in Ohio".
    fn is_somebody_else(&self, first: usize, place: usize, next: usize) -> bool {
        let has_own = self.class(self.over_small(next + 1)) == self.class(place);
        has_own || self.are_apart(first, next) || self.is_other_noun(first, next)
    }

    /// Makes one condition of who is left out and of where that is.
    fn are_at_once(&mut self, first: usize, place: usize, end: usize) {
        let places = self.items.get(place..end).unwrap_or_default().iter();
        let places: Vec<Cond> = places
            .filter_map(|item| match &item.what {
                Is::Condition(_, cond) => Some(cond.clone()),
                _ => None,
            })
            .collect();
        let ends = (self.items.get(first), self.items.get(end - 1));
        if let (Some(one), Some(other)) = ends
            && let Is::Condition(class, cond) = &one.what
        {
            let cond = Cond::all(vec![cond.clone(), Cond::any(places)]);
            let both = Item {
                what: Is::Condition(*class, cond),
                from: one.from,
                to: other.to,
            };
            self.items.splice(first..end, [both]);
        }
    }

    /// Whether it is said in front of an item who is asked for: "everyone except interns, recruiters".
    fn says_who(&self, item: usize) -> bool {
        let words = self.small_words(0, item).unwrap_or_default();
        let mut words = words.iter().flat_map(|words| words.split(' '));
        words.any(|word| word == "all" || ANYONE.contains(&word) || THOSE.contains(&word))
    }

    /// Whether a list is to be expected behind the word that leaves out: "exclude: managers, engineers".
    fn begins_list(&self, turn: usize, first: usize) -> bool {
        let is_label = (turn..first).any(|at| self.words(at).ends_with(':'));
        let words = self.words(turn);
        is_label || LISTING.contains(&words.as_str())
    }

    /// Whether one noun by itself stands behind the comma, of which more is said, or in front of which it is said that others are meant.
    fn is_asked(&self, turn: usize, comma: usize, next: usize) -> bool {
        let behind = self.over_small(next + 1);
        let is_field = self.is_field(next) && !ends_in_people(&self.words(next));
        let goes_on = matches!(self.what(behind), Some(Is::Or | Is::And));
        let is_added = matches!(
            self.words(next + 1).as_str(),
            "too" | "as well" | "also" | "either" | "neither"
        );
        let is_one = !is_field && !self.is_adjective_level(next) && !self.text_joins(next);
        // "Excluding interns, nurses, with linkedin" may leave out both.
        let is_said = match self.what(behind) {
            Some(Is::Comma) => self.what(turn) == Some(&Is::Not),
            what => matches!(what, Some(Is::Condition(..) | Is::Not | Is::Except)),
        };
        let is_said = is_said || self.says_only(next + 1);
        // "Not a single manager, nurses"
        let is_single = (turn..comma).any(|at| self.words(at) == "single");
        let is_apart = is_single || APART.contains(&self.words(turn).as_str());
        let asks = self.says_request(comma + 1, next);
        is_one && !goes_on && !is_added && (is_said || is_apart || asks)
    }

    /// Whether a word that asks stands among small words.
    fn says_request(&self, from: usize, to: usize) -> bool {
        let words = self.small_words(from, to).unwrap_or_default();
        words.iter().any(|word| REQUESTS.contains(&word.as_str()))
    }

    /// "(No interns), senior nurses": a noun of which only the level is of the same column.
    fn is_other_noun(&self, first: usize, next: usize) -> bool {
        let is_level = matches!(
            self.what(first),
            Some(Is::Condition(_, Cond::In("seniority_level", _)))
        );
        let is_said = |part: &Cond| match part {
            Cond::In("seniority_level", levels) => is_adjective(levels),
            _ => true,
        };
        let has_noun = matches!(
            self.what(next),
            Some(Is::Condition(_, Cond::All(parts))) if parts.iter().all(is_said)
        );
        is_level && has_noun
    }

    /// "Excluding sales, managers only": what is behind the comma is asked for. Of "no interns, juniors only", which are read as one,
    /// that is not clear.
    pub(super) fn only_behind(&mut self, item: usize) {
        match self.what(item) {
            Some(Is::Comma) => {
                let next = self.over_small(item + 1);
                let turn = self.turn_before(item).and_then(|turn| self.what(turn));
                let is_left_out = matches!(turn, Some(Is::Not | Is::Except));
                let only = self.list_end(next) + 1;
                if is_left_out && self.class(next).is_some() && self.says_only(only) {
                    self.becomes(item, Is::But);
                }
            }
            Some(Is::Not | Is::Except) => {
                let first = self.over_small(item + 1);
                let is_list = self.class(first).is_some() && self.text_joins(first);
                if is_list && self.says_only(first + 1) && self.parts_last(first, first) {
                    self.report(item, first);
                }
            }
            _ => {}
        }
    }

    /// Whether "only" ends a clause at an item. "Only in Texas" says it of what follows.
    fn says_only(&self, item: usize) -> bool {
        let ends = matches!(self.what(item + 1), None | Some(Is::Comma | Is::Break));
        ends && matches!(self.words(item).as_str(), "only" | "instead")
    }

    /// "Excluding managers and anyone at Google": both. Of "… and people in sales at Google" it is not clear how far it goes.
    pub(super) fn and_those(&mut self, join: usize) {
        let first = self.over_small(join + 1);
        let is_listed = self.class(first).is_some()
            && self
                .before_small(join)
                .is_some_and(|at| self.is_left_out(at))
            && self.goes_on_with_those(join, first);
        if !is_listed {
            return;
        }
        // "But not managers and people at Google" may ask for the latter.
        let is_unclear = self.turn_before(join).is_some_and(|turn| {
            self.what(turn) == Some(&Is::Not) && !self.says_any(join + 1, first)
        });
        if is_unclear {
            return self.report(join + 1, self.list_end(first));
        }
        if self.is_phrase(first) {
            return self.report(join + 1, self.over_small(self.list_end(first) + 1));
        }
        self.insert(first, Is::Not);
    }

    /// Whether "anyone" stands among small words.
    fn says_any(&self, from: usize, to: usize) -> bool {
        let words = self.small_words(from, to).unwrap_or_default();
        words.iter().any(|word| ANYONE.contains(&word.as_str()))
    }

    /// Whether "and anyone", "and people who" stand in front of an item, behind an exception.
    fn goes_on_with_those(&self, join: usize, first: usize) -> bool {
        let turn = self.turn_before(join);
        let is_but = turn.is_some_and(|turn| self.words(turn).starts_with("but no"));
        let turn = turn.and_then(|turn| self.what(turn));
        let words = self.small_words(join + 1, first).unwrap_or_default();
        let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let is_one = |word: &String| {
            let word = word.as_str();
            ANYONE.contains(&word) || THOSE.contains(&word)
        };
        let is_plain = words
            .iter()
            .all(|word| is_one(word) || self.says_of_those(word));
        let is_and = self.what(join) == Some(&Is::And);
        let goes_on = match turn {
            Some(Is::Except) => says(ANYONE) || is_and && says(THOSE),
            Some(Is::Not) => says(ANYONE) || is_and && is_but && says(THOSE),
            _ => false,
        };
        is_plain && goes_on && (is_and || self.what(join) == Some(&Is::Comma))
    }

    /// "Engineers excluding managers in Berlin": what is in Berlin is asked for, unless where was said before.
    pub(super) fn excluded_in(&mut self, item: usize) {
        let says = matches!(
            self.words(item).as_str(),
            "excluding" | "exclude" | "excl" | "excl ." | "excl."
        );
        if self.what(item) != Some(&Is::Except) || !says {
            return;
        }
        let (first, place) = (item + 1, item + 3);
        let is_own =
            matches!(self.words(place - 1).as_str(), "in" | "with") && self.is_small(place - 1);
        let (Some(Class::Role), Some(class)) = (self.class(first), self.class(place)) else {
            return;
        };
        // "Excluding interns with less than a year of experience": the years are theirs.
        let is_narrow = matches!(class, Class::Place | Class::Contact | Class::Seen);
        let is_asked = (0..item).any(|at| self.class(at).is_some());
        let is_said = (0..item).any(|at| self.class(at) == Some(class));
        if is_own && is_narrow && is_asked && !is_said {
            self.insert(place - 1, Is::But);
        }
    }

    /// "-interns engineers Berlin": a dash that is written with the first word may leave it out.
    pub(super) fn dash_in_front(&mut self, item: usize) {
        let is_dash = item == 0 && self.is_small(0) && self.words(0) == "—";
        let token = self
            .items
            .get(1)
            .and_then(|next| self.text.first_token(next.from));
        let is_list = self.text.tokens.iter().any(|token| token.is_mark('\n'));
        let has_other = (2..self.items.len()).any(|at| self.class(at).is_some());
        let is_glued = token.is_some_and(|token| token.is_glued);
        let is_sign = |at: usize| self.turns(at) && self.words(at) == "-";
        let is_list = is_list || (1..self.items.len()).any(is_sign);
        if is_dash && is_glued && !is_list && has_other && self.class(1).is_some() {
            self.report(0, 1);
        }
    }

    /// "Won't you find nurses" asks for them.
    pub(super) fn asks_by_not(&mut self, item: usize) {
        let asks = self.turns(item) && self.words(item) == "won't";
        if asks && self.words(item + 1).split(' ').next() == Some("you") {
            self.becomes(item, Is::Noise);
        }
    }

    /// "Not a single manager": none.
    pub(super) fn not_one(&mut self, item: usize) {
        let is_single = self.what(item) == Some(&Is::Unknown) && self.words(item) == "single";
        let not = self.before_small(item);
        let is_turned = not.is_some_and(|not| self.turns(not) && not + 1 < item);
        if is_single && is_turned && self.class(item + 1).is_some() {
            self.becomes(item, Is::Noise);
        }
    }

    /// "Manager level or below, sales": a bound that is not read is reported, with the word that joins it.
    pub(in crate::read) fn rank_bound(&mut self, or: usize) {
        let is_bound = matches!(
            self.words(or + 1).as_str(),
            "below"
                | "under"
                | "lower"
                | "beneath"
                | "less"
                | "fewer"
                | "down"
                | "older"
                | "younger"
        );
        let is_read = |at: usize| !self.is_small(at) && !self.is_reported(at);
        let ends = matches!(self.what(or + 2), None | Some(Is::Comma | Is::Break))
            || self.is_small(or + 2);
        let is_behind = or.checked_sub(1).is_some_and(|at| self.class(at).is_some());
        let joins = matches!(self.what(or), Some(Is::Or | Is::And));
        if joins && is_bound && is_behind && ends && !is_read(or + 1) {
            self.report(or, or + 1);
        }
    }
}
