//! Growth of the number of employees: "grew at least 30% in the last 6 months".

use crate::Reason;
use crate::amount::{Amount, Bounds, DOWN, UP};
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

/// Words of growth only with an amount or a time: "added 10%", not "added".
const WEAK: &[&str] = &[
    "up",
    "down",
    "added",
    "cut",
    "lost",
    "rose",
    "fell",
    "dropped",
    "scaled",
    "increase",
    "increased",
    "decline",
    "expansion",
    "reduced",
    "shed",
    "fallen",
    "hired up",
    "double",
    "grow",
    "increasing",
];

/// Small words between growth and its amount or time.
const PASSED: &[&str] = &[
    "by", "in", "of", "their", "its", "the", "rate", "size", "is", "was", "has been", "at", "has",
    "been", "a", "in size", "over", "during", "strongly", "team", "steadily", "to", "on",
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

impl Way {
    const fn is_times(self) -> bool {
        matches!(self, Self::Times(_) | Self::Half)
    }
}

/// By how much, in how many months, and the piece behind both.
struct Details {
    amount: Option<Amount>,
    window: Option<u32>,
    to: usize,
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

    /// "Didn't grow over the year", but not "didn't grow in Spain", which says no time.
    pub(super) fn not_grown(&mut self, at: usize) -> Option<usize> {
        if !matches!(self.text.said(at).as_str(), "didn't" | "hasn't" | "hadn't") {
            return None;
        }
        let before = self.items.len();
        self.push(Is::Not, at, at + 1);
        let to = self.growth(at + 1, None);
        let last = self.items.last().map(|item| &item.what);
        let is_grown = matches!(last, Some(Is::Condition(Class::Growth, _)));
        if to.is_none() || !is_grown {
            self.items.truncate(before);
            return None;
        }
        to
    }

    fn growth_within(
        &mut self,
        at: usize,
        said: Option<(Amount, usize)>,
        within: Option<(u32, usize)>,
    ) -> Option<usize> {
        let way = self.way(at)?;
        if let Some(to) = self
            .no_growth(at)
            .or_else(|| self.times_of_no_bound(at, way))
        {
            return Some(to);
        }
        let (amount, window, from) = self.said_in_front(at, said, within)?;
        // "Tripled their size"
        let what = self.text.skip(at + 1, &["their", "its", "the", "in"]);
        let behind = match way.is_times() && self.is_staff(what) {
            true => what + 1,
            false => at + 1,
        };
        let Details {
            amount,
            window,
            mut to,
        } = self.details(behind, amount, window);
        // "Added", "up" and the like are words of growth only with an amount or a time.
        let is_weak = WEAK.contains(&self.text.said(at).as_str());
        if is_weak && amount.is_none() && window.is_none() {
            return None;
        }
        let from = self.begin_of_growth(at, from);
        let column = column(window.unwrap_or(12)).filter(|_| !self.is_person());
        let Some(column) = column else {
            return Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to));
        };
        to = self.condition(Class::Growth, cond(column, way, amount), from, to);
        while let Some(end) = self.growth_again(to, way, amount) {
            to = end;
        }
        Some(to)
    }

    /// "Doubled", "growing", "shrank", "negative growth"
    fn way(&self, at: usize) -> Option<Way> {
        if self.text.may_be(at, Cue::Doubled) {
            return Some(match self.text.said(at) {
                said if said.starts_with("tripl") => Way::Times(3.0),
                said if said.starts_with("quadrupl") => Way::Times(4.0),
                said if said.starts_with("halv") => Way::Half,
                _ => Way::Times(2.0),
            });
        }
        if self.text.may_be(at, Cue::Growth) {
            return Some(match self.word_of_way(at).as_str() {
                "negative" => Way::Down,
                _ => Way::Up,
            });
        }
        self.text.may_be(at, Cue::Shrinking).then_some(Way::Down)
    }

    fn said_before(&self, at: usize) -> String {
        let before = at.checked_sub(1).map(|before| self.text.said(before));
        before.unwrap_or_default()
    }

    /// The word in front of a word of growth, or of its time: "negative (growth)", "negative (monthly growth)".
    fn word_of_way(&self, at: usize) -> String {
        let before = self.said_before(at);
        match window_word(&before) {
            Some(_) => self.said_before(at - 1),
            None => before,
        }
    }

    /// "Zero growth", "slow growth"
    fn no_growth(&mut self, at: usize) -> Option<usize> {
        let is_none = matches!(
            self.word_of_way(at).as_str(),
            "zero" | "flat" | "no" | "little" | "slow" | "stagnant"
        );
        if !is_none {
            return None;
        }
        self.items
            .pop_if(|last| last.to == at && matches!(last.what, Is::Unknown | Is::Small));
        Some(self.unsupported_clause(at - 1, at + 1, Reason::NoSuchField))
    }

    /// So many times as many of something else, or about so many: "almost doubled", "less than tripled", "whose users tripled",
    /// "doubled their revenue".
    fn times_of_no_bound(&mut self, at: usize, way: Way) -> Option<usize> {
        if !way.is_times() {
            return None;
        }
        // "Almost doubled" has no bound.
        if matches!(
            self.word_of_way(at).as_str(),
            "almost" | "nearly" | "roughly" | "about"
        ) {
            self.items.pop_if(|last| last.to == at);
            return Some(self.unsupported_clause(at - 1, at + 1, Reason::NoSuchField));
        }
        // "Less than tripled", "halved by 10%"
        let bound = at
            .checked_sub(1)
            .filter(|before| self.text.may_be(*before, Cue::Less));
        if bound.is_some() || self.text.said(at + 1) == "by" {
            self.items.pop_if(|last| last.to == at && bound.is_some());
            let from = bound.unwrap_or(at);
            return Some(self.unsupported_clause(from, at + 1, Reason::NoSuchField));
        }
        // "Whose users tripled"
        if let Some(subject) = self.other_subject(at) {
            while self.items.pop_if(|last| last.from >= subject).is_some() {}
            return Some(self.unsupported_clause(subject, at + 1, Reason::NoSuchField));
        }
        // "Doubled their revenue" is of no number of employees.
        let is_new = !matches!(self.text.said(at).as_str(), "double" | "doubling");
        (self.is_of_other(at + 1) || is_new && !self.is_of_staff(at + 1))
            .then(|| self.unsupported_clause(at, at + 1, Reason::NoSuchField))
    }

    /// The amount and the months that are said in front of a word of growth, and the first piece of them: "10% growth", "6 month
    /// growth", "monthly growth". Nothing where a time is none of growth.
    fn said_in_front(
        &mut self,
        at: usize,
        said: Option<(Amount, usize)>,
        within: Option<(u32, usize)>,
    ) -> Option<(Option<Amount>, Option<u32>, usize)> {
        let mut window = None;
        let mut from = said.map_or(at, |(_, from)| from);
        // "Monthly growth"
        let word_before = window_word(&self.said_before(at)).zip(at.checked_sub(1));
        if let Some((months, first)) = within.or(word_before.filter(|_| said.is_none())) {
            window = Some(months);
            from = first;
            self.items.pop_if(|last| last.from == first);
        }
        match said {
            Some((amount, _)) if amount.is_percent => Some((Some(amount), window, from)),
            Some((number, _)) => {
                let unit = self.text.stem(number.to);
                let count = number.bounds.low.map_or(1.0, |(count, _)| count);
                Some((None, Some(months(count, &unit)?), from))
            }
            None => Some((None, window, from)),
        }
    }

    /// The first piece of growth with what is in front of it: "headcount shrank", "negative growth".
    fn begin_of_growth(&mut self, at: usize, from: usize) -> usize {
        let is_theirs = |before: usize| {
            self.text.may_be(before, Cue::Employees)
                || matches!(self.text.said(before).as_str(), "negative" | "positive")
        };
        let before = at
            .checked_sub(1)
            .filter(|before| (from == at || from == *before) && is_theirs(*before));
        let passed = self.items.pop_if(|last| {
            Some(last.from) == before && last.what == Is::Unknown || last.what.is_small()
        });
        passed.map_or(from, |passed| passed.from)
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
        let more = self.details(next, None, None);
        let column = column(more.window?)?;
        self.push(if is_or { Is::Or } else { Is::And }, at, next);
        let cond = cond(column, way, more.amount.or(amount));
        Some(self.condition(Class::Growth, cond, next, more.to))
    }

    /// Amount and window behind a word of growth, where they were not said in front of it.
    fn details(&self, from: usize, amount: Option<Amount>, window: Option<u32>) -> Details {
        const MAX_PIECES: usize = 8;
        let mut found = Details {
            amount,
            window,
            to: from,
        };
        let mut at = from;
        while self.text.piece(at).is_some() {
            if let Some(end) = self.detail(at, &mut found) {
                at = end;
                found.to = end;
                continue;
            }
            if !self.passes(at, from) || at > from + MAX_PIECES {
                break;
            }
            at += 1;
            if self.text.may_be(at - 1, Cue::Employees) {
                found.to = at;
            }
        }
        found
    }

    /// An amount or a window, where there is none yet, and the piece behind it.
    fn detail(&self, at: usize, found: &mut Details) -> Option<usize> {
        if found.window.is_none()
            && let Some((months, end)) = self.time_of_growth(at)
        {
            found.window = Some(months);
            return Some(end);
        }
        let amount = self.text.amount(at).filter(|amount| amount.is_percent);
        if found.amount.is_none()
            && let Some(amount) = amount.or_else(|| self.fraction(at))
        {
            found.amount = Some(amount);
            return Some(amount.to);
        }
        if found.window.is_some() {
            return None;
        }
        let of_word = || window_word(&self.text.said(at)).map(|months| (months, at + 1));
        let each = || self.each_time(at).filter(|_| found.amount.is_some());
        let (months, end) = self.compared(at).or_else(of_word).or_else(each)?;
        found.window = Some(months);
        Some(end)
    }

    /// "By a quarter or more", "at least a tenth of their workforce", "by two thirds": a part in words. "(In) a quarter" is a time.
    fn fraction(&self, at: usize) -> Option<Amount> {
        let is_by = self.text.said(at) == "by";
        let bound = at + usize::from(is_by);
        let comparison = [Cue::AtLeast, Cue::AtMost, Cue::More, Cue::Less]
            .into_iter()
            .find(|cue| self.text.may_be(bound, *cue));
        let first = bound + usize::from(comparison.is_some());
        let count = self.text.number(first);
        let word = match count {
            Some(_) => first + 1,
            None => self.text.skip(first, &["a", "an", "over a", "the"]),
        };
        let part = part_word(&self.text.stem(word))?;
        let percent = 100.0 * count.unwrap_or(1.0) * part;
        let (mut low, mut high) = (Some((percent, true)), Some((percent, true)));
        let mut to = word + 1;
        let mut is_bare = false;
        match comparison {
            Some(Cue::AtLeast) => high = None,
            Some(Cue::More) => (low, high) = (Some((percent, false)), None),
            Some(Cue::AtMost) => low = None,
            Some(_) => (low, high) = (None, Some((percent, false))),
            None => match (
                self.text.bound_behind(to, UP),
                self.text.bound_behind(to, DOWN),
            ) {
                (Some(end), _) => (to, high) = (end, None),
                (_, Some(end)) => (to, low) = (end, None),
                _ => is_bare = true,
            },
        }
        let of = self
            .text
            .skip(to, &["of", "their", "its", "the", "all", "of the"]);
        let is_of_staff = of > to && self.is_staff(of);
        let is_led = is_by || comparison.is_some();
        if !is_of_staff && (!is_led || matches!(self.text.said(to).as_str(), "of" | "ago")) {
            return None;
        }
        Some(Amount {
            bounds: Bounds { low, high },
            is_percent: true,
            is_money: false,
            is_range: false,
            is_bare,
            to: if is_of_staff { of + 1 } else { to },
        })
    }

    /// "+15% yoy headcount or better": an increase without a word of growth.
    pub(super) fn signed_growth(&mut self, at: usize, amount: Amount) -> Option<usize> {
        let plus = at
            .checked_sub(1)
            .filter(|plus| self.text.said(*plus) == "+")?;
        let window = window_word(&self.text.said(amount.to));
        let staff = amount.to + usize::from(window.is_some());
        if self.is_person() || !amount.is_percent || !self.text.may_be(staff, Cue::Employees) {
            return None;
        }
        let behind = self
            .text
            .said_as(staff + 1, &["or better", "or more", "or above"]);
        let Details { window, to, .. } =
            self.details(behind.unwrap_or(staff + 1), Some(amount), window);
        let column = column(window.unwrap_or(12))?;
        self.items.pop_if(|last| last.from == plus);
        Some(self.condition(Class::Growth, cond(column, Way::Up, Some(amount)), plus, to))
    }

    /// "In the last 6 months", "over 2 quarters", "for a year", "over the year": the months, and the piece behind.
    fn time_of_growth(&self, at: usize) -> Option<(u32, usize)> {
        let is_whole = matches!(self.text.said(at).as_str(), "over" | "during" | "within")
            && matches!(self.text.said(at + 1).as_str(), "the" | "a" | "one");
        if is_whole && let Some(months) = months(1.0, &self.text.stem(at + 2)) {
            return Some((months, at + 3));
        }
        let is_time = self.text.may_be(at, Cue::Last)
            || self.text.said(at) == "for"
            || matches!(self.text.said(at).as_str(), "over" | "in" | "within")
                && self.text.number(at + 1).is_some();
        if !is_time {
            return None;
        }
        let (count, unit) = self.text.count(at + 1);
        // A count is at most 10,000.
        let found = months(count as f64, &self.text.stem(unit)).map(|months| (months, unit + 1));
        // "in the last 6": months, as the time before.
        found.or_else(|| {
            let is_alone = unit > at + 1 && matches!(count, 1 | 3 | 6 | 12);
            is_alone.then(|| (u32::try_from(count).unwrap_or(12), unit))
        })
    }

    /// "Year over year"
    fn compared(&self, at: usize) -> Option<(u32, usize)> {
        COMPARED.iter().find_map(|(words, months)| {
            let behind = self.text.said_as(at, words)?;
            Some((*months, behind))
        })
    }

    /// "(10%) a year"
    fn each_time(&self, at: usize) -> Option<(u32, usize)> {
        let said = self.text.said(at);
        let is_each = matches!(said.as_str(), "a" | "per" | "each" | "every");
        let months = months(1.0, &self.text.stem(at + 1)).filter(|_| is_each)?;
        Some((months, at + 2))
    }

    /// Whether a piece may stand between growth and its amount or time, which are looked for from piece `from` on: "(grew) their team
    /// by (10%)".
    fn passes(&self, at: usize, from: usize) -> bool {
        self.text.piece(at).is_some_and(|piece| piece.is_small())
            && (self.text.may_be(at, Cue::Employees)
                || self.text.may_be(at, Cue::Growth) && at == from
                || PASSED.contains(&self.text.said(at).as_str()))
    }
}

/// The part of a whole that a word is.
fn part_word(stem: &str) -> Option<f64> {
    Some(match stem {
        "half" => 0.5,
        "third" => 1.0 / 3.0,
        "quarter" => 0.25,
        "fifth" => 0.2,
        "sixth" => 1.0 / 6.0,
        "eighth" => 0.125,
        "tenth" => 0.1,
        "twentieth" => 0.05,
        _ => return None,
    })
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
