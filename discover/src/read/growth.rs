//! Growth of the number of employees: "grew at least 30% in the last 6 months".

use crate::Reason;
use crate::amount::{Amount, Bounds};
use crate::annotate::is_place;
use crate::cond::Cond;
use crate::lex::Token;
use crate::meaning::{Cue, Meaning};

use super::{Class, Is, Reader};

/// Words of several pieces that compare with a time before, and its months.
const COMPARED: &[(&[&str], u32)] = &[
    (&["year over year", "year on year"], 12),
    (&["quarter over quarter", "quarter on quarter"], 3),
    (&["month over month", "month on month"], 1),
];

/// Which way.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Up,
    Down,
    /// To at least so many times as many.
    Times(f64),
    /// To half as many or fewer.
    Half,
}

impl Reader<'_> {
    /// Growth that is named by piece `at`; `said` is an amount or a window in front of it, with its first piece.
    pub(super) fn growth(&mut self, at: usize, said: Option<(Amount, usize)>) -> Option<usize> {
        self.growth_within(at, said, None)
    }

    /// Growth that is named by piece `at` or right behind, over so many months that are said from piece `from` on.
    pub(super) fn growth_in(&mut self, at: usize, within: u32, from: usize) -> Option<usize> {
        let growth = self.growth_near(at).filter(|growth| *growth <= at + 1)?;
        self.growth_within(growth, None, Some((within, from)))
    }

    fn growth_within(
        &mut self,
        at: usize,
        said: Option<(Amount, usize)>,
        within: Option<(u32, usize)>,
    ) -> Option<usize> {
        let way = if self.text.may_be(at, Cue::Doubled) {
            match self.text.said(at) {
                said if said.starts_with("tripl") => Way::Times(3.0),
                said if said.starts_with("quadrupl") => Way::Times(4.0),
                said if said.starts_with("halv") => Way::Half,
                _ => Way::Times(2.0),
            }
        } else if self.text.may_be(at, Cue::Growth) {
            Way::Up
        } else if self.text.may_be(at, Cue::Shrinking) {
            Way::Down
        } else {
            return None;
        };
        let said_before = |at: usize| at.checked_sub(1).map(|before| self.text.said(before));
        let before = said_before(at).unwrap_or_default();
        // "Negative monthly growth"
        let of_way = match window_word(&before) {
            Some(_) => said_before(at - 1).unwrap_or_default(),
            None => before.clone(),
        };
        let way = match (way, of_way.as_str()) {
            (Way::Up, "negative") => Way::Down,
            (_, "zero" | "flat" | "no" | "little" | "slow" | "stagnant") => {
                if self.items.last().is_some_and(|last| {
                    last.to == at && matches!(last.what, Is::Unknown | Is::Small)
                }) {
                    self.items.pop();
                }
                return Some(self.unsupported_clause(at - 1, at + 1, Reason::NoSuchField));
            }
            // "Almost doubled" has no bound.
            (Way::Times(_) | Way::Half, "almost" | "nearly" | "roughly" | "about") => {
                self.items.pop_if(|last| last.to == at);
                return Some(self.unsupported_clause(at - 1, at + 1, Reason::NoSuchField));
            }
            _ => way,
        };
        let is_times = matches!(way, Way::Times(_) | Way::Half);
        // "Less than tripled", "halved by 10%"
        let is_bound = at
            .checked_sub(1)
            .is_some_and(|before| self.text.may_be(before, Cue::Less));
        if is_times && (is_bound || self.text.said(at + 1) == "by") {
            self.items.pop_if(|last| last.to == at && is_bound);
            let from = at - usize::from(is_bound);
            return Some(self.unsupported_clause(from, at + 1, Reason::NoSuchField));
        }
        // "Whose users tripled"
        if is_times && let Some(subject) = self.other_subject(at) {
            while self.items.pop_if(|last| last.from >= subject).is_some() {}
            return Some(self.unsupported_clause(subject, at + 1, Reason::NoSuchField));
        }
        // "Doubled their revenue" is of no number of employees.
        let is_new = is_times && !matches!(self.text.said(at).as_str(), "double" | "doubling");
        if is_times && self.is_of_other(at + 1) || is_new && !self.is_of_staff(at + 1) {
            return Some(self.unsupported_clause(at, at + 1, Reason::NoSuchField));
        }
        let mut amount = None;
        let mut window = None;
        let mut from = said.map_or(at, |(_, from)| from);
        // "Monthly growth"
        let word_before = window_word(&before).zip(at.checked_sub(1));
        if let Some((months, first)) = within.or(word_before.filter(|_| said.is_none())) {
            window = Some(months);
            from = first;
            self.items.pop_if(|last| last.from == first);
        }
        if let Some((number, _)) = said {
            if number.is_percent {
                amount = Some(number);
            } else {
                let unit = self.text.stem(number.to);
                window = months(number.bounds.low.map_or(1.0, |(count, _)| count), &unit);
                window?;
            }
        }
        // "Tripled their size"
        let what = self.text.skip(at + 1, &["their", "its", "the", "in"]);
        let behind = match is_times && self.is_staff(what) {
            true => what + 1,
            false => at + 1,
        };
        let (amount, window, mut to) = self.details(behind, amount, window);
        // "Added", "up" and the like are words of growth only with an amount or a time.
        let is_weak = matches!(
            self.text.said(at).as_str(),
            "up" | "down"
                | "added"
                | "cut"
                | "lost"
                | "rose"
                | "fell"
                | "dropped"
                | "scaled"
                | "increase"
                | "increased"
                | "decline"
                | "expansion"
                | "reduced"
                | "shed"
                | "fallen"
                | "hired up"
                | "double"
                | "grow"
                | "increasing"
        );
        if is_weak && amount.is_none() && window.is_none() {
            return None;
        }
        // "Headcount shrank", "negative growth"
        let is_theirs = |before: usize| {
            self.text.may_be(before, Cue::Employees)
                || matches!(self.text.said(before).as_str(), "negative" | "positive")
        };
        let before = at
            .checked_sub(1)
            .filter(|before| (from == at || from == at - 1) && is_theirs(*before));
        let passed = self.items.pop_if(|last| {
            Some(last.from) == before && last.what == Is::Unknown || last.what.is_small()
        });
        if let Some(passed) = passed {
            from = passed.from;
        }
        if self.is_person() {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to));
        }
        let Some(column) = column(window.unwrap_or(12)) else {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to));
        };
        to = self.condition(Class::Growth, cond(column, way, amount), from, to);
        while let Some(end) = self.growth_again(to, way, amount) {
            to = end;
        }
        Some(to)
    }

    /// Whether what grew is named, and is no number of employees: "(doubled) their revenue". So is a word that nothing knows.
    fn is_of_other(&self, at: usize) -> bool {
        let what = self.text.skip(at, &["their", "its", "the", "annual", "in"]);
        let is_unknown = self.meanings(what).is_empty()
            && self.text.first_token(what).is_some_and(Token::is_word);
        let is_known = matches!(
            self.text.stem(what).as_str(),
            "revenue"
                | "turnover"
                | "profit"
                | "sale"
                | "sales"
                | "funding"
                | "customer"
                | "production"
        );
        is_unknown || is_known
    }

    /// Whether what grew is not said, or is a number of employees: "(tripled) their headcount", "in size", "over the last year", not
    /// "leads", "software costs".
    fn is_of_staff(&self, at: usize) -> bool {
        let what = self.text.skip(at, &["their", "its", "the", "in"]);
        let meanings = self.meanings(what);
        let is_small = |meaning: &Meaning| match meaning {
            Meaning::Word(Cue::People | Cue::Companies) => {
                what == at && self.text.said(at) == "who"
            }
            Meaning::Word(_) => true,
            meaning => is_place(meaning),
        };
        self.text
            .first_token(what)
            .is_none_or(|token| !token.is_word())
            || self.is_staff(what)
            || !meanings.is_empty() && meanings.iter().all(is_small)
    }

    /// Whether a piece says employees or their number.
    fn is_staff(&self, at: usize) -> bool {
        self.text.may_be(at, Cue::Employees)
            || matches!(
                self.text.stem(at).as_str(),
                "size" | "headcount" | "head count" | "staff" | "employee" | "team" | "workforce"
            )
    }

    /// The first piece of what "whose" or "where" in front says grew, if that is no number of employees.
    fn other_subject(&self, at: usize) -> Option<usize> {
        const MAX_PIECES: usize = 5;
        let mut near = (at.saturating_sub(MAX_PIECES)..at).rev();
        let who = near.find(|at| matches!(self.text.said(*at).as_str(), "whose" | "where"))?;
        let subject = who + 1;
        let is_theirs = (subject..at).any(|at| self.is_staff(at));
        let says = |at: usize| {
            let meanings = self.meanings(at);
            let is_noun = |meaning: &Meaning| !matches!(meaning, Meaning::Word(cue) if !matches!(cue, Cue::People | Cue::Companies));
            let is_word = self.text.first_token(at).is_some_and(Token::is_word);
            is_word && (meanings.is_empty() || meanings.iter().any(is_noun))
        };
        (!is_theirs && (subject..at).any(says)).then_some(subject)
    }

    /// The same of another time: "and over the last quarter", "or at least 40% in the last year".
    fn growth_again(&mut self, at: usize, way: Way, amount: Option<Amount>) -> Option<usize> {
        let is_or = self.text.may_be(at, Cue::Or);
        let mut next = if is_or { at + 1 } else { at };
        while !is_or
            && (self.text.may_be(next, Cue::And)
                || self.text.is_mark(next, ',')
                || self.text.said(next) == "also")
        {
            next += 1;
        }
        let has_amount = self.text.amount(next).is_some_and(|more| more.is_percent);
        if next == at || !has_amount && !self.text.may_be(next, Cue::Last) {
            return None;
        }
        let (more, window, end) = self.details(next, None, None);
        let column = column(window?)?;
        self.push(if is_or { Is::Or } else { Is::And }, at, next);
        Some(self.condition(Class::Growth, cond(column, way, more.or(amount)), next, end))
    }

    /// Amount and window behind a word of growth, and the piece behind them.
    fn details(
        &self,
        from: usize,
        mut amount: Option<Amount>,
        mut window: Option<u32>,
    ) -> (Option<Amount>, Option<u32>, usize) {
        let mut to = from;
        let mut at = from;
        while self.text.piece(at).is_some() {
            let is_time = self.text.may_be(at, Cue::Last)
                || self.text.said(at) == "for"
                || matches!(self.text.said(at).as_str(), "over" | "in" | "within")
                    && self.text.number(at + 1).is_some();
            if is_time && window.is_none() {
                let (count, unit) = self.text.count(at + 1);
                // A count is at most 10,000.
                let found =
                    months(count as f64, &self.text.stem(unit)).map(|months| (months, unit + 1));
                // "in the last 6": months, as the time before.
                let found = found.or_else(|| {
                    let is_alone = unit > at + 1 && matches!(count, 1 | 3 | 6 | 12);
                    is_alone.then(|| (u32::try_from(count).unwrap_or(12), unit))
                });
                if let Some((months, end)) = found {
                    window = Some(months);
                    at = end;
                    to = end;
                    continue;
                }
            }
            if amount.is_none()
                && let Some(found) = self.text.amount(at)
                && found.is_percent
            {
                amount = Some(found);
                at = found.to;
                to = at;
                continue;
            }
            let compared = COMPARED.iter().find_map(|(words, months)| {
                let behind = self.text.said_as(at, words)?;
                Some((*months, behind))
            });
            if let (None, Some((months, behind))) = (window, compared) {
                window = Some(months);
                at = behind;
                to = at;
                continue;
            }
            let said = self.text.said(at);
            let of_year = window_word(&said);
            if window.is_none() && of_year.is_some() {
                window = of_year;
                at += 1;
                to = at;
                continue;
            }
            // "10% a year"
            let each = matches!(said.as_str(), "a" | "per" | "each" | "every")
                .then(|| months(1.0, &self.text.stem(at + 1)))
                .flatten();
            if window.is_none() && amount.is_some() && each.is_some() {
                window = each;
                at += 2;
                to = at;
                continue;
            }
            let passes = self.text.piece(at).is_some_and(|piece| piece.is_small())
                && (self.text.may_be(at, Cue::Employees)
                    || self.text.may_be(at, Cue::Growth) && at == from
                    || matches!(
                        said.as_str(),
                        "by" | "in"
                            | "of"
                            | "their"
                            | "its"
                            | "the"
                            | "rate"
                            | "size"
                            | "is"
                            | "was"
                            | "has been"
                            | "at"
                            | "has"
                            | "been"
                            | "a"
                            | "in size"
                            | "over"
                            | "during"
                            | "strongly"
                            | "team"
                            | "steadily"
                            | "to"
                            | "on"
                    ));
            if !passes || at > from + 8 {
                break;
            }
            at += 1;
            if self.text.may_be(at - 1, Cue::Employees) {
                to = at;
            }
        }
        (amount, window, to)
    }
}

/// The months of a word for a time of growth.
fn window_word(said: &str) -> Option<u32> {
    match said {
        "year over year" | "yoy" | "annual" | "annually" | "yearly" => Some(12),
        "quarterly" => Some(3),
        "monthly" => Some(1),
        _ => None,
    }
}

/// A time in months, of those that are known.
fn months(count: f64, unit: &str) -> Option<u32> {
    let each = match unit {
        "month" | "mo" | "mth" | "mont" => 1.0,
        "quarter" => 3.0,
        "half year" | "half" => 6.0,
        "year" | "yr" | "y" => 12.0,
        _ => return None,
    };
    Some((count * each).clamp(0.0, 1_000.0) as u32)
}

fn column(months: u32) -> Option<&'static str> {
    match months {
        1 => Some("service_employee_growth_rate.1m"),
        3 => Some("service_employee_growth_rate.3m"),
        6 => Some("service_employee_growth_rate.6m"),
        12 => Some("service_employee_growth_rate.12m"),
        _ => None,
    }
}

fn cond(column: &'static str, way: Way, amount: Option<Amount>) -> Cond {
    let part =
        |bound: Option<(f64, bool)>| bound.map(|(percent, inside)| (percent / 100.0, inside));
    let bounds = match (way, amount) {
        (Way::Times(times), _) => Bounds {
            low: Some((times - 1.0, true)),
            high: None,
        },
        (Way::Half, _) => Bounds {
            low: None,
            high: Some((-0.5, true)),
        },
        (Way::Up, None) => Bounds {
            low: Some((0.0, false)),
            high: None,
        },
        (Way::Down, None) => Bounds {
            low: None,
            high: Some((0.0, false)),
        },
        (Way::Up, Some(amount)) if amount.is_bare => Bounds {
            low: part(amount.bounds.low),
            high: None,
        },
        (Way::Up, Some(amount)) => Bounds {
            low: part(amount.bounds.low),
            high: part(amount.bounds.high),
        },
        (Way::Down, Some(amount)) => {
            let flip =
                |bound: Option<(f64, bool)>| part(bound).map(|(part, inside)| (-part, inside));
            let low = if amount.is_bare {
                None
            } else {
                flip(amount.bounds.high)
            };
            Bounds {
                low,
                high: flip(amount.bounds.low),
            }
        }
    };
    Cond::Number(column, bounds)
}
