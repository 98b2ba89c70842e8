//! Two values of a column that has one, with nothing that joins them: "HR consultants", "medical device manufacturers". No record has
//! both, so that one of them stays, and the other is reported.

use crate::annotate::Piece;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning, is_adjective};

use super::{Class, Is, Item, Reader};

/// The columns of which a record has one value.
const COLUMNS: [&str; 7] = [
    "seniority_level",
    "job_function",
    "company_industry",
    "industry",
    "company_size",
    "size",
    "type",
];

/// Two items that no record can answer together.
struct Clash {
    before: usize,
    behind: usize,
    column: &'static str,
}

impl Reader<'_> {
    /// Leaves one of two values wherever both cannot hold.
    pub(super) fn leave_one_value(&mut self) {
        let mut at = 1;
        while at < self.items.len() {
            match self.clash(at) {
                Some(clash) => {
                    let yields = if self.is_head(&clash) {
                        clash.behind
                    } else {
                        clash.before
                    };
                    self.give_up(yields, clash.column);
                    // The one that is left may clash with a further one.
                    at = clash.before.max(1);
                }
                None => at += 1,
            }
        }
    }

    /// The nearest item in front with which `behind` cannot hold: nothing stands between that joins, turns round or begins anew.
    fn clash(&self, behind: usize) -> Option<Clash> {
        let item = self.items.get(behind)?;
        let Is::Condition(class, cond) = &item.what else {
            return None;
        };
        for (before, other) in self.items.iter().enumerate().take(behind).rev() {
            match &other.what {
                Is::Condition(found, before_it) => {
                    if found == class
                        && let Some(column) = excluded(before_it, cond)
                    {
                        let clash = Clash {
                            before,
                            behind,
                            column,
                        };
                        let is_open = self.is_compound(&clash) || !self.is_turned(before, *class);
                        return is_open.then_some(clash);
                    }
                }
                Is::Noise | Is::Small | Is::Unknown | Is::Unsupported(_) | Is::Yields => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether a NOT reaches an item, over the list that it stands in.
    fn is_turned(&self, at: usize, class: Class) -> bool {
        let mut is_joined = false;
        for item in self.items.iter().take(at).rev() {
            match item.what {
                Is::Not | Is::Except | Is::Unwanted => return true,
                Is::Or | Is::And | Is::Comma => is_joined = true,
                Is::Condition(found, _) if is_joined && found == class => is_joined = false,
                Is::Noise | Is::Small | Is::Yields => {}
                _ => return false,
            }
        }
        false
    }

    /// Whether the one in front says what is sought. The last noun does ("sales operations directors"), unless a word
    /// stands between ("consultants in HR"); of industries and sizes the one that says more ("furniture manufacturers").
    fn is_head(&self, clash: &Clash) -> bool {
        let (Some(before), Some(behind)) =
            (self.items.get(clash.before), self.items.get(clash.behind))
        else {
            return false;
        };
        let count = |item: &Item| values_of(item, clash.column).map_or(0, <[String]>::len);
        let is_size = clash.column.ends_with("size");
        if is_size && self.has_digits(before) != self.has_digits(behind) {
            return self.has_digits(before);
        }
        let says_more = is_size || clash.column.ends_with("industry");
        if says_more && count(before) != count(behind) {
            return count(before) < count(behind);
        }
        if clash.column == "seniority_level" {
            let is_adjective = |item| values_of(item, clash.column).is_some_and(is_adjective);
            if is_adjective(before) != is_adjective(behind) {
                return is_adjective(behind);
            }
        }
        !self.are_beside(clash) || self.ends_in_noun(before) && !self.ends_in_noun(behind)
    }

    /// Whether no word stands between two items but further values: "public healthcare nonprofits".
    fn are_beside(&self, clash: &Clash) -> bool {
        let is_value = |item: &Item| matches!(item.what, Is::Condition(..) | Is::Yields);
        let between = self.items.get(clash.before + 1..clash.behind);
        between.is_some_and(|between| between.iter().all(is_value))
    }

    /// Whether two items are one noun, of which a NOT turns round the whole: "not HR consultants", but "non-HR consultants" are
    /// consultants.
    fn is_compound(&self, clash: &Clash) -> bool {
        let before = clash.before.checked_sub(1);
        let says_non = before
            .and_then(|before| self.items.get(before))
            .is_some_and(|item| self.text.said(item.from).starts_with("non"));
        let yields = self.items.get(clash.before + 1..clash.behind);
        let is_one = yields.is_some_and(|items| items.iter().all(|item| item.what == Is::Yields));
        is_one && !says_non
    }

    /// Whether an item says a number: "startups with 201-500 employees" are of that size.
    fn has_digits(&self, item: &Item) -> bool {
        let has = |at: usize| {
            self.text
                .said(at)
                .contains(|letter: char| letter.is_ascii_digit())
        };
        (item.from..item.to).any(has)
    }

    /// Whether an item ends in who is sought: "software companies", "sales managers" behind their function.
    fn ends_in_noun(&self, item: &Item) -> bool {
        let Some(last) = item.to.checked_sub(1).filter(|last| *last > item.from) else {
            return false;
        };
        self.text.may_be(last, Cue::Companies)
            || self.text.may_be(last, Cue::People)
            || self.says_of(last, "seniority_level")
    }

    /// Whether a piece says a value of a role's column.
    fn says_of(&self, at: usize, column: &str) -> bool {
        let says = |meaning: &Meaning| match meaning {
            Meaning::Level(_) => column == "seniority_level",
            Meaning::Function(_) => column == "job_function",
            _ => false,
        };
        self.text
            .piece(at)
            .map_or(&[][..], Piece::meanings)
            .iter()
            .any(says)
    }

    /// Takes the value of a column from an item. What else it says stays: of "VPs of HR" the VPs.
    fn give_up(&mut self, at: usize, column: &'static str) {
        let Some(item) = self.items.get(at).cloned() else {
            return;
        };
        let kept = match &item.what {
            Is::Condition(class, Cond::All(parts)) => {
                let others = parts.iter().filter(|part| value(part, column).is_none());
                let others: Vec<Cond> = others.cloned().collect();
                (!others.is_empty()).then(|| Is::Condition(*class, Cond::all(others)))
            }
            _ => None,
        };
        let says = |piece: &usize| self.says_of(*piece, column);
        let first = (item.from..item.to).find(says).unwrap_or(item.from);
        let last = (item.from..item.to).rev().find(says);
        let last = last.map_or(item.to, |last| last + 1);
        let says_role = (last..item.to).any(|piece| self.says_role(piece));
        let piece = |what, from, to| Item { what, from, to };
        let parts = match kept {
            Some(kept) if says_role => vec![
                piece(Is::Yields, item.from, last),
                piece(kept, last, item.to),
            ],
            Some(kept) if first > item.from => vec![
                piece(kept, item.from, first),
                piece(Is::Yields, first, item.to),
            ],
            _ => vec![piece(Is::Yields, item.from, item.to)],
        };
        self.items.splice(at..=at, parts);
    }
}

/// The values of a column that an item asks for.
fn values_of<'a>(item: &'a Item, column: &str) -> Option<&'a [String]> {
    match &item.what {
        Is::Condition(_, Cond::All(parts)) => parts.iter().find_map(|part| value(part, column)),
        Is::Condition(_, cond) => value(cond, column),
        _ => None,
    }
}

fn value<'a>(cond: &'a Cond, column: &str) -> Option<&'a [String]> {
    match cond {
        Cond::In(found, values) if *found == column => Some(values),
        _ => None,
    }
}

/// The column of which two conditions have no value in common.
fn excluded(one: &Cond, other: &Cond) -> Option<&'static str> {
    let parts = |cond: &Cond| match cond {
        Cond::All(parts) => parts.clone(),
        cond => vec![cond.clone()],
    };
    let (one, other) = (parts(one), parts(other));
    COLUMNS.into_iter().find(|column| {
        let of = |parts: &[Cond]| {
            parts
                .iter()
                .find_map(|part| Some(value(part, column)?.to_vec()))
        };
        match (of(&one), of(&other)) {
            (Some(one), Some(other)) => !one.iter().any(|value| other.contains(value)),
            _ => false,
        }
    })
}
