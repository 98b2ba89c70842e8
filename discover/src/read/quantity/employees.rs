//! How many people work at a company, as a number or as the size that it is (docs/DISCOVER.md, R8).

use crate::Reason;
use crate::amount::{Amount, Bounds};
use crate::cond::Cond;
use crate::meaning::Cue;
use crate::vocabulary::vocabulary;

use super::super::{Class, Is, Reader};

/// Words between a size and its range: "company size is (11-50)".
const BEFORE_SIZE: &[&str] = &[":", "of", "is", "are", "in", "=", "range", "band"];

impl Reader<'_> {
    /// A number of employees, as the size of the company where only that is known (docs/DISCOVER.md, R8).
    pub(in crate::read) fn employees(&mut self, at: usize, amount: Amount, to: usize) -> usize {
        let (bounds, to) = self.open_end(amount.bounds, to);
        // "1.500 employees" may be one and a half thousand.
        let ends = [bounds.low, bounds.high];
        if ends
            .iter()
            .flatten()
            .any(|(number, _)| number.fract() != 0.0)
        {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        if !self.is_person() {
            if amount.is_range
                && let Some(size) = bucket(bounds)
            {
                return self.condition(Class::Size, Cond::In("size", vec![size]), at, to);
            }
            let (bounds, to) = self.further_bound(bounds, to);
            let cond = Cond::Number("service_employee_count", bounds);
            return self.condition(Class::Employees, cond, at, to);
        }
        match sizes(bounds) {
            Some(sizes) => self.condition(Class::Size, Cond::In("company_size", sizes), at, to),
            None => self.push(Is::Unsupported(Reason::NoSuchField), at, to),
        }
    }

    /// "Headcount of 100 to 2,000", "employees: 100". "People in 2 cities", "staff of 3" count them only where they are compared.
    pub(super) fn headcount_in_front(&mut self, at: usize, next: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Employees) {
            return None;
        }
        let is_compared = matches!(
            self.text.said(next).as_str(),
            ">" | "<" | "> =" | "< =" | "≥" | "≤"
        ) || self.text.is_mark(at + 1, '=');
        let is_label = next > at + 1 && self.text.is_mark(at + 1, ':');
        if self.says_plain_people(at) && !is_compared && !is_label {
            return None;
        }
        let amount = self.text.amount(next)?;
        // "+20% headcount over 6 months"
        let is_time = matches!(
            self.text.stem(amount.to).as_str(),
            "month" | "quarter" | "year" | "yr"
        );
        (!amount.is_percent && (!is_time || amount.is_range))
            .then(|| self.employees(at, amount, amount.to))
    }

    /// "Staff", "employees": words for those who work somewhere that say nothing of how many they are.
    fn says_plain_people(&self, at: usize) -> bool {
        matches!(
            self.text.said(at).as_str(),
            "people"
                | "person"
                | "ppl"
                | "worker"
                | "workers"
                | "staff"
                | "employee"
                | "employees"
                | "head"
                | "heads"
                | "team of"
        )
    }

    /// "size: 51-200", "company size 11-50 or 51-200".
    pub(in crate::read) fn size_subject(&mut self, at: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Size) {
            return None;
        }
        let mut next = self.text.skip(at + 1, BEFORE_SIZE);
        let mut found = Vec::new();
        let mut to = at;
        while let Some(amount) = self.text.amount(next)
            && !amount.is_percent
        {
            let names = match bucket(amount.bounds) {
                Some(size) if amount.is_range => vec![size],
                _ => sizes(amount.bounds)?,
            };
            found.extend(names);
            to = amount.to;
            if self.text.may_be(to, Cue::Employees) {
                to += 1;
            }
            let is_joined = self.text.may_be(to, Cue::Or)
                || self.text.may_be(to, Cue::And)
                || self.text.is_mark(to, ',')
                || self.text.is_mark(to, '/');
            if !is_joined {
                break;
            }
            next = to + 1;
        }
        if found.is_empty() {
            return None;
        }
        let column = if self.is_person() {
            "company_size"
        } else {
            "size"
        };
        Some(self.condition(Class::Size, Cond::In(column, found), at, to))
    }
}

/// The size whose ends these are: "51-200".
pub(super) fn bucket(bounds: Bounds) -> Option<String> {
    let ((low, true), (high, true)) = (bounds.low?, bounds.high?) else {
        return None;
    };
    // The numbers of sizes are far below 2^53.
    vocabulary()
        .sizes()
        .iter()
        .find(|(_, least, greatest)| {
            (*least as f64 - low).abs() < 0.5 && (*greatest as f64 - high).abs() < 0.5
        })
        .map(|(name, ..)| name.clone())
}

/// The sizes that a number of employees picks, where its bounds are those of sizes; none where a size would be cut.
fn sizes(bounds: Bounds) -> Option<Vec<String>> {
    let all = vocabulary().sizes();
    // Far below 2^53.
    let ends: Vec<(f64, f64)> = all
        .iter()
        .map(|(_, least, greatest)| (*least as f64, *greatest as f64))
        .collect();
    let near = |a: f64, b: f64| (a - b).abs() < 0.5;
    // "Over 200", "at least 200" and "201 or more" are the same edge.
    let is_edge = |number: f64| {
        ends.iter().any(|(least, greatest)| {
            near(*least, number) || near(*greatest, number) || near(*least, number + 1.0)
        })
    };
    if let Some((low, _)) = bounds.low
        && !is_edge(low)
    {
        return None;
    }
    if let Some((high, _)) = bounds.high
        && !is_edge(high)
        && !ends.iter().any(|(_, greatest)| near(*greatest + 1.0, high))
    {
        return None;
    }
    let picked = ends.iter().zip(all).filter(|((least, greatest), _)| {
        bounds
            .low
            .is_none_or(|(low, _)| *least >= low - 0.5 || near(*least, low))
            && bounds.high.is_none_or(|(high, _)| *greatest <= high + 0.5)
    });
    let names: Vec<String> = picked.map(|(_, (name, ..))| name.clone()).collect();
    (!names.is_empty()).then_some(names)
}
