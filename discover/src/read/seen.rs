//! When records were seen (docs/DISCOVER.md, R2): "seen in May or June 2025", "seen this year but not in the last 3 months".

use chrono::NaiveDate;

use crate::Reason;
use crate::annotate::{Piece, What};
use crate::cond::Cond;
use crate::meaning::Cue;
use crate::time::Period;

use super::{Class, Is, Item, Reader};

impl Reader<'_> {
    /// A time at which records were seen, behind the word for it or behind another such time.
    pub(super) fn seen_in(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.seen_but_not(at) {
            return Some(to);
        }
        let is_joined = self.last_class() == Some(Class::Seen);
        // "Seen in May or June 2025"
        if is_joined && let Some(period) = self.text.period(at, self.today) {
            return Some(self.further_seen(period, at));
        }
        if is_joined && self.ends_list_of_months(at) {
            return self.further_month(at);
        }
        self.behind_seen(at)
    }

    /// "(Seen this year) but not in the last 3 months"
    fn seen_but_not(&mut self, at: usize) -> Option<usize> {
        if !self.leaves_out_time(at) {
            return None;
        }
        let period = self.text.period(at + 1, self.today)?;
        self.push(Is::Not, at, at + 1);
        let cond = self.seen(period);
        Some(self.condition(Class::Seen, cond, at + 1, period.to))
    }

    /// "(Seen in June) or May"; of "in June 2025 or May" nobody knows the year.
    fn further_month(&mut self, at: usize) -> Option<usize> {
        let period = self.text.listed_month(at, self.today)?;
        let mut before = self.items.iter().rev();
        let last = before.find(|item| matches!(item.what, Is::Condition(..)));
        let end = last.and_then(|item| item.to.checked_sub(1));
        let is_dated = end.is_some_and(|end| self.text.number(end).is_some());
        Some(match is_dated {
            true => self.push(Is::Unsupported(Reason::NoSuchField), at, period.to),
            false => self.further_seen(period, at),
        })
    }

    /// "Seen in May", "last seen not in 2026"
    fn behind_seen(&mut self, at: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Seen) {
            return None;
        }
        let (from, period) = self.period_near(at)?;
        let cond = self.seen(period);
        let not = from - 1;
        if not > at && self.denies_time(not) {
            self.push(Is::Noise, at, not);
            self.push(Is::Not, not, from);
            return Some(self.condition(Class::Seen, cond, from, period.to));
        }
        Some(self.condition(Class::Seen, cond, at, period.to))
    }

    /// Where within three pieces behind "seen" a time begins, over small words: "(seen) at any time in 2025", "(seen) not in May". Where
    /// they were seen is known: "(seen) in our data this year".
    fn period_near(&self, at: usize) -> Option<(usize, Period)> {
        const HERE: &[&str] = &[
            "data", "database", "dataset", "record", "index", "system", "crm",
        ];
        let whose = self
            .text
            .skip(at + 1, &["in", "in the", "our", "the", "your", "this"]);
        let is_here = whose > at + 1 && HERE.contains(&self.text.stem(whose).as_str());
        let at = if is_here { whose } else { at };
        (at + 1..=at + 3).find_map(|from| {
            let last = from - 1;
            let is_passed = |passed: usize| {
                self.text.piece(passed).is_some_and(Piece::is_small)
                    && (!self.says_not(passed) || passed == last && self.denies_time(passed))
            };
            if !(at + 1..from).all(is_passed) {
                return None;
            }
            let is_not_in = last > at && self.text.said(last) == "not in";
            let listed = || self.text.listed_month(from, self.today);
            let period = self.text.period(from, self.today);
            let period = period.or_else(|| is_not_in.then(listed).flatten())?;
            Some((from, period))
        })
    }

    /// Whether right behind a time at which records were seen a word leaves out what follows: "(seen this year) but not".
    fn leaves_out_time(&self, at: usize) -> bool {
        let mut before = self.items.iter().rev().skip_while(|item| {
            item.what.is_small() || matches!(item.what, Is::But | Is::And | Is::Comma)
        });
        let is_seen = |item: &Item| matches!(item.what, Is::Condition(Class::Seen, _));
        let cues = [Cue::Not, Cue::Except];
        cues.iter().any(|cue| self.text.may_be(at, *cue)) && before.next().is_some_and(is_seen)
    }

    /// Whether a piece turns round the time behind it: "not", "not in".
    fn denies_time(&self, at: usize) -> bool {
        self.text.may_be(at, Cue::Not) || self.text.said(at) == "not in"
    }

    /// A further time at which records were seen. Two that are closed are alternatives, even with "and": "in May and June 2026".
    fn further_seen(&mut self, period: Period, at: usize) -> usize {
        let is_closed = |cond: &Cond| matches!(cond, Cond::Dates(_, Some(_), Some(_)));
        let is_time = |cond: &Cond| match cond {
            Cond::Any(conds) => conds.iter().all(is_closed),
            cond => is_closed(cond),
        };
        let cond = self.seen(period);
        let before = self.items.iter().rposition(|item| {
            let Is::Condition(Class::Seen, first) = &item.what else {
                return false;
            };
            is_time(first) && is_closed(&cond)
        });
        let before = before.filter(|before| {
            let mut between = self.items.iter().skip(before + 1);
            between.all(|item| {
                matches!(
                    item.what,
                    Is::Or | Is::And | Is::Comma | Is::Noise | Is::Small
                )
            })
        });
        let Some(before) = before else {
            return self.condition(Class::Seen, cond, at, period.to);
        };
        let mut tail = self.items.split_off(before).into_iter();
        match tail.next() {
            Some(Item {
                what: Is::Condition(_, first),
                from,
                ..
            }) => self.condition(Class::Seen, Cond::any(vec![first, cond]), from, period.to),
            _ => self.condition(Class::Seen, cond, at, period.to),
        }
    }

    /// Whether a month stands alone behind a list of times: "(June) or May", not "(June) or may have left".
    fn ends_list_of_months(&self, at: usize) -> bool {
        let goes_on = self.text.may_be(at + 1, Cue::Or) || self.text.may_be(at + 1, Cue::And);
        let is_end = self
            .text
            .piece(at + 1)
            .is_none_or(|piece| matches!(piece.what, What::Mark(_)));
        let is_verb = self.text.said(at) == "may" && !self.text.is_capital(at);
        is_end || goes_on || !is_verb
    }

    /// Who was seen in a time; companies are seen by month.
    pub(super) fn seen(&self, period: Period) -> Cond {
        let is_person = self.is_person();
        let text = |date: NaiveDate| {
            if is_person {
                date.format("%Y-%m-%d").to_string()
            } else {
                date.format("%Y-%m").to_string()
            }
        };
        // An open end is said with the first day that does not belong to it.
        let last = match period.first {
            Some(_) => period.last,
            None => period.last.and_then(|date| date.succ_opt()),
        };
        Cond::Dates("last_seen", period.first.map(text), last.map(text))
    }
}
