//! Bounds behind the unit: "15 years of experience or more", "50 employees minimum", "at least 4 years but no more than 12".

use crate::amount::{Amount, Bounds, DOWN, UP};
use crate::cond::Cond;
use crate::meaning::Cue;

use super::super::{Class, Is, Reader};

/// Behind a number these make it the least one.
const LEAST: &[&str] = &["minimum", "min", "at least", "at minimum", "plus"];
/// Behind a number these make it the greatest one.
const MOST: &[&str] = &["maximum", "max", "at most", "tops"];

impl Reader<'_> {
    /// "15 years of experience or more", "50 employees minimum": the bound behind the unit.
    pub(super) fn open_end(&self, bounds: Bounds, to: usize) -> (Bounds, usize) {
        let (Some((low, true)), Some((high, true))) = (bounds.low, bounds.high) else {
            return (bounds, to);
        };
        if low.to_bits() != high.to_bits() {
            return (bounds, to);
        }
        let said = |a, b| {
            self.text
                .bound_behind(to, a)
                .or_else(|| self.text.bound_behind(to, b))
        };
        // "10 yrs+", but not "10 years + linkedin", where it joins.
        let is_plus = self.text.said(to) == "+"
            && self.text.first_token(to).is_some_and(|plus| plus.is_glued);
        if is_plus {
            (bounds.open_above(), to + 1)
        } else if let Some(to) = said(UP, LEAST) {
            (bounds.open_above(), to)
        } else if let Some(to) = said(DOWN, MOST) {
            (bounds.open_below(), to)
        } else {
            (bounds, to)
        }
    }

    /// "At least 4 years of experience but no more than 12 (years)": the other bound of a number of years.
    pub(super) fn further_bound_of_years(&self, bounds: Bounds, to: usize) -> (Bounds, usize) {
        let Some(more) = self.joined_bound(to) else {
            return (bounds, to);
        };
        let says_years = matches!(self.text.stem(more.to).as_str(), "year" | "yr");
        let end = more.to + usize::from(says_years);
        self.both_bounds(bounds, more.bounds, end)
            .unwrap_or((bounds, to))
    }

    /// "Over 50 employees but no more than 200": the other bound of a number that is not one of years.
    pub(super) fn further_bound(&self, bounds: Bounds, to: usize) -> (Bounds, usize) {
        let says_years = |at| matches!(self.text.stem(at).as_str(), "year" | "yr");
        self.joined_bound(to)
            .filter(|more| !says_years(more.to))
            .and_then(|more| self.both_bounds(bounds, more.bounds, more.to))
            .unwrap_or((bounds, to))
    }

    /// "(Under 2 years of experience) or over 20": a second bound that counts what the first one does, on its other side. "Over 65" would
    /// be an age.
    pub(in crate::read) fn or_beyond(&mut self, to: usize) -> usize {
        const MOST_YEARS: f64 = 50.0;
        let last = self.items.last().filter(|last| last.to == to);
        let Some(Is::Condition(class, Cond::Number(column, bounds))) = last.map(|last| &last.what)
        else {
            return to;
        };
        let (class, column, bounds) = (*class, *column, *bounds);
        let more = self.text.amount(to + 1).filter(|more| {
            self.text.may_be(to, Cue::Or)
                && !more.is_bare
                && !more.is_range
                && self.ends_amount(*more)
        });
        let Some(more) = more else {
            return to;
        };
        let ends = match (bounds, more.bounds) {
            (
                Bounds {
                    low: None,
                    high: Some(high),
                },
                Bounds {
                    low: Some(low),
                    high: None,
                },
            )
            | (
                Bounds {
                    low: Some(low),
                    high: None,
                },
                Bounds {
                    low: None,
                    high: Some(high),
                },
            ) => Some((high.0, low.0)),
            _ => None,
        };
        let is_counted = match class {
            Class::Employees => true,
            Class::Years => ends.is_some_and(|(_, low)| low <= MOST_YEARS),
            _ => false,
        };
        if !is_counted || !ends.is_some_and(|(high, low)| high < low) {
            return to;
        }
        self.push(Is::Or, to, to + 1);
        self.condition(class, Cond::Number(column, more.bounds), to + 1, more.to)
    }

    /// "(At least 4) but no more than 12", "(over 50), under 200": a bound that is joined to the one in front.
    fn joined_bound(&self, to: usize) -> Option<Amount> {
        let mut next = to;
        while self.text.is_mark(next, ',')
            || self.text.may_be(next, Cue::But)
            || self.text.may_be(next, Cue::And)
        {
            next += 1;
        }
        let is_joined = next > to || self.text.said(next).starts_with("but ");
        let is_bound = [Cue::AtMost, Cue::Less, Cue::AtLeast, Cue::More]
            .iter()
            .any(|cue| self.text.may_be(next, *cue));
        let more = self.text.amount(next)?;
        let is_number = !more.is_range && !more.is_percent && !more.is_money;
        (is_joined && is_bound && is_number).then_some(more)
    }

    /// A lower and an upper bound as one range, and the piece behind; none where the second counts something else.
    fn both_bounds(&self, first: Bounds, more: Bounds, end: usize) -> Option<(Bounds, usize)> {
        let has_unit = self.text.piece(end).is_some_and(|piece| {
            piece.number().is_some() || piece.may_be(Cue::Sources) || piece.may_be(Cue::Tenure)
        });
        let (low, high) = match (first.low, first.high, more.low, more.high) {
            (Some(low), None, None, Some(high)) | (None, Some(high), Some(low), None) => {
                (Some(low), Some(high))
            }
            _ => return None,
        };
        (!has_unit).then_some((Bounds { low, high }, end))
    }
}
