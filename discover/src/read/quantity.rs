//! Conditions on numbers: experience, employees, sizes, tenure, sources, age.

use crate::Reason;
use crate::amount::{Amount, Bounds, DOWN, MONEY, UP};
use crate::cond::Cond;
use crate::meaning::Cue;
use crate::vocabulary::vocabulary;

use super::{Class, Is, Item, Reader};

/// More years than anybody works.
const MAX_YEARS: f64 = 100.0;
/// More years than any company is old.
const MAX_AGE: f64 = 2_000.0;

impl Reader<'_> {
    /// A number with its unit behind it.
    pub(super) fn quantity(&mut self, at: usize) -> Option<usize> {
        if !self.begins_amount(at) {
            return None;
        }
        let amount = self.text.amount(at)?;
        if let Some(to) = self.not_comparable(at, amount) {
            return Some(to);
        }
        if let Some(from) = self.unread_bound(at, amount)
            && let Some(to) = self.unread_amount(from, amount.to)
        {
            return Some(to);
        }
        if let Some(to) = self.window_of_growth(at) {
            return Some(to);
        }
        let unit = self.text.skip(
            amount.to,
            &["full time", "total", "of", "different", "independent"],
        );
        if let Some(to) = self.shared_unit(at, amount) {
            return Some(to);
        }
        if self.is_of_period(amount, unit) {
            return self.of_period(at, amount, unit);
        }
        if matches!(self.text.stem(unit).as_str(), "year" | "yr" | "y") {
            return self.years(at, amount, unit);
        }
        self.with_unit(at, amount, unit)
            .or_else(|| self.continued(at, amount))
            .or_else(|| self.bare_size_or_age(at, amount, unit))
    }

    /// Whether a number, or a word that bounds one, stands there.
    fn begins_amount(&self, at: usize) -> bool {
        let bounds = [
            Cue::More,
            Cue::Less,
            Cue::AtLeast,
            Cue::AtMost,
            Cue::Between,
            Cue::Exactly,
        ];
        self.text.number(at).is_some()
            || bounds.iter().any(|cue| self.text.may_be(at, *cue))
            || self.text.said(at) == "from"
            || MONEY.iter().any(|mark| self.text.is_mark(at, *mark))
    }

    /// "Around 200" is no number that could be compared with, and of money no column tells.
    fn not_comparable(&mut self, at: usize, amount: Amount) -> Option<usize> {
        let is_about = at.checked_sub(1).is_some_and(|before| {
            matches!(
                self.text.said(before).as_str(),
                "around"
                    | "about"
                    | "roughly"
                    | "approximately"
                    | "circa"
                    | "ca"
                    | "nearly"
                    | "almost"
                    | "some"
            )
        });
        if is_about && amount.is_bare && self.text.year(at).is_none() {
            if let Some(to) = self.unread_amount(at - 1, amount.to) {
                return Some(to);
            }
            return Some(self.unsupported_clause(at - 1, amount.to, Reason::NoSuchField));
        }
        amount
            .is_money
            .then(|| self.unsupported_clause(at, amount.to, Reason::NoSuchField))
    }

    /// Whether it is a percentage, a number of months or quarters, or a growth in years.
    fn is_of_period(&self, amount: Amount, unit: usize) -> bool {
        let stem = self.text.stem(unit);
        amount.is_percent
            || matches!(stem.as_str(), "month" | "mo" | "mth" | "quarter")
            || stem == "year" && self.growth_near(unit + 1) == Some(unit + 1)
    }

    /// "30% growth", "6 months of growth", "18 months average tenure".
    fn of_period(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        let behind = if amount.is_percent { unit } else { unit + 1 };
        if let Some(growth) = self.growth_near(behind) {
            return self.growth(growth, Some((amount, at)));
        }
        let years = match self.text.stem(unit).as_str() {
            "quarter" => 0.25,
            _ => 1.0 / 12.0,
        };
        self.text
            .may_be(unit + 1, Cue::Tenure)
            .then(|| self.tenure(at, amount.bounds, unit + 2, years))
    }

    /// "Backed by 20 sources": where what leads to their number begins.
    fn confirmed_by(&mut self, at: usize, unit: usize) -> usize {
        let said = |back: usize| at.checked_sub(back).map(|at| self.text.said(at));
        let is_verb = |word: Option<String>| {
            word.is_some_and(|word| {
                matches!(
                    word.as_str(),
                    "backed" | "confirmed" | "corroborated" | "supported" | "verified"
                )
            })
        };
        let from = if said(1).as_deref() == Some("by") && is_verb(said(2)) {
            at - 2
        } else if self.text.said(at).starts_with("by ") && is_verb(said(1)) {
            at - 1
        } else {
            return at;
        };
        // "Emails verified by 3 sources": the sources are of the company or person.
        let is_other = |item: &Item| {
            matches!(
                item.what,
                Is::Unknown
                    | Is::Unsupported(_)
                    | Is::Condition(Class::Contact | Class::Growth | Class::Employees, _)
            )
        };
        let mut before = self.items.iter().rev();
        let last = before.find(|item| item.from < from && !item.what.is_small());
        let noun = from.checked_sub(1).map(|at| self.text.stem(at));
        let is_other_noun = |noun: &str| {
            matches!(
                noun,
                "employee" | "employer" | "growth" | "headcount" | "size" | "staff"
            )
        };
        let mut words = (0..from).rev().take(3).map(|at| self.text.stem(at));
        // "Backed by 5 sources of funding"
        let is_of_other = self.text.said(unit + 1).starts_with("of");
        if is_of_other
            || last.is_some_and(is_other)
            || noun.is_some_and(|noun| is_other_noun(&noun))
            || words.any(|word| is_other_noun(&word))
        {
            return at;
        }
        while self.items.pop_if(|last| last.from >= from).is_some() {}
        from
    }

    /// A number of what the words behind it name, other than a time.
    fn with_unit(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        let is = |cue| self.text.may_be(unit, cue);
        if is(Cue::Old) {
            return Some(self.age(at, amount.bounds, unit + 1));
        }
        if is(Cue::Experience) {
            return Some(self.experience(at, amount.bounds, unit + 1));
        }
        if is(Cue::Employees) {
            return Some(self.employees(at, amount, unit + 1));
        }
        if is(Cue::Sources) {
            let cond = Cond::Number("num_sources", amount.bounds);
            let from = self.confirmed_by(at, unit);
            return Some(self.condition(Class::Sources, cond, from, unit + 1));
        }
        if is(Cue::Size)
            || self.text.stem(unit) == "company" && self.text.may_be(unit + 1, Cue::Size)
        {
            return Some(self.employees(at, amount, unit + 1));
        }
        is(Cue::Tenure).then(|| self.tenure(at, amount.bounds, unit + 1, 1.0))
    }

    /// A year that goes on with the dates in front of it.
    fn continued(&mut self, at: usize, amount: Amount) -> Option<usize> {
        if !amount.is_bare || self.text.year(at).is_none() {
            return None;
        }
        let follows = |sought: Class, within: usize| {
            let mut last = self.items.iter().rev().take(within);
            last.any(|item| matches!(item.what, Is::Condition(class, _) if class == sought))
        };
        // "founded since 2008 but not in 2020"
        if follows(Class::Founded, 4) {
            return Some(self.founded(amount.bounds, at, amount.to));
        }
        // "seen in 2019 or 2020"
        if follows(Class::Seen, 3)
            && let Some(period) = self.text.period(at, self.today)
        {
            let cond = self.seen(period);
            return Some(self.condition(Class::Seen, cond, at, period.to));
        }
        None
    }

    /// Without a unit: a range that is a size, or what is the age of a person.
    fn bare_size_or_age(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        // "private, 201-500, founded 2010+"
        if amount.is_range && bucket(amount.bounds).is_some() {
            return Some(self.employees(at, amount, amount.to));
        }
        let says_age = matches!(
            self.text.said(at).as_str(),
            "older than" | "younger than" | "no older than"
        );
        let end = amount.bounds.low.or(amount.bounds.high);
        let may_be_age = end.is_some_and(|(number, _)| (16.0..=80.0).contains(&number));
        let is_age = self.is_person()
            && !amount.is_bare
            && (says_age || may_be_age)
            && !self.text.may_be(unit, Cue::Companies);
        is_age.then(|| self.push(Is::Unsupported(Reason::ProtectedTrait), at, amount.to))
    }

    /// "under 50 or over 5,000 employees": a number whose unit stands behind the next one.
    fn shared_unit(&mut self, at: usize, amount: Amount) -> Option<usize> {
        let is_number = |amount: &Amount| !amount.is_percent && !amount.is_money;
        if !self.text.may_be(amount.to, Cue::Or) || !is_number(&amount) {
            return None;
        }
        let next = self.text.amount(amount.to + 1).filter(is_number)?;
        if self.text.may_be(next.to, Cue::Employees) {
            return Some(self.employees(at, amount, amount.to));
        }
        let are_years = matches!(self.text.stem(next.to).as_str(), "year" | "yr" | "y");
        let says_experience = (next.to + 1..next.to + 3)
            .take_while(|at| self.text.piece(*at).is_some_and(|piece| piece.is_small()))
            .any(|at| self.text.may_be(at, Cue::Experience));
        (are_years && says_experience && self.is_person())
            .then(|| self.experience(at, amount.bounds, amount.to))
    }

    /// Where a word of growth stands within a few small words.
    pub(super) fn growth_near(&self, at: usize) -> Option<usize> {
        (at..at + 5)
            .take_while(|at| {
                self.text.piece(*at).is_some_and(|piece| {
                    piece.is_small() && !piece.may_be(Cue::Or) && !piece.may_be(Cue::But)
                })
            })
            .find(|at| self.text.may_be(*at, Cue::Growth) || self.text.may_be(*at, Cue::Shrinking))
    }

    /// How long people stay, in units of so many years.
    fn tenure(&mut self, at: usize, bounds: Bounds, to: usize, years: f64) -> usize {
        if self.is_person() {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        let cond = Cond::Number("service_average_tenure", scaled(bounds, years));
        self.condition(Class::Tenure, cond, at, to)
    }

    /// A number of years: of experience, of age, of tenure.
    fn years(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        let (bounds, next) = self.open_end(amount.bounds, unit + 1);
        if self.text.may_be(next, Cue::Old)
            || self.text.may_be(next + 1, Cue::Old) && self.text.said(next) == "of"
        {
            let to = if self.text.may_be(next, Cue::Old) {
                next + 1
            } else {
                next + 2
            };
            return Some(self.age(at, bounds, to));
        }
        if self.text.may_be(next, Cue::Tenure) || self.text.may_be(next + 1, Cue::Tenure) {
            let to = if self.text.may_be(next, Cue::Tenure) {
                next + 1
            } else {
                next + 2
            };
            return Some(self.tenure(at, amount.bounds, to, 1.0));
        }
        if matches!(
            self.text.said(at).as_str(),
            "older than" | "younger than" | "no older than"
        ) {
            return Some(self.age(at, bounds, next));
        }
        if let Some(from) = self.says_stay(at) {
            let is_average = self.text.said(next) == "on" && self.text.said(next + 1) == "average";
            let to = if is_average { next + 2 } else { next };
            return Some(self.tenure(from, amount.bounds, to, 1.0));
        }
        let experience = (next..next + 3)
            .take_while(|at| {
                self.text.piece(*at).is_some_and(|piece| piece.is_small())
                    && !self.text.may_be(*at, Cue::And)
            })
            .find(|at| self.text.may_be(*at, Cue::Experience));
        if let Some(experience) = experience {
            return Some(self.experience(at, bounds, experience + 1));
        }
        if self.is_person() {
            // "2 years in their current role" is another time.
            let is_of_role = self.text.said(next) == "in"
                && matches!(
                    self.text.said(next + 1).as_str(),
                    "their" | "his" | "her" | "the" | "this" | "current" | "same" | "that"
                );
            if is_of_role {
                return Some(self.unsupported_clause(at, next, Reason::NoSuchField));
            }
            // "8+ years in, decision makers only": without another unit years are those of experience.
            let is_elsewhere = matches!(
                self.text.said(next).as_str(),
                "at" | "ago" | "as" | "of" | "in their" | "in the" | "for"
            );
            if self.is_stay(at) {
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), at - 1, next));
            }
            if is_elsewhere && !self.text.may_be(next, Cue::Experience) {
                return Some(self.unsupported_clause(at, next, Reason::NoSuchField));
            }
            let to = if self.text.said(next) == "in"
                && !self.is_place_at(next + 1)
                && self
                    .text
                    .piece(next + 1)
                    .is_none_or(|piece| !matches!(piece.what, crate::annotate::What::Phrase(_)))
            {
                next + 1
            } else {
                next
            };
            return Some(self.experience(at, bounds, to));
        }
        if self.text.may_be(next, Cue::Founded) {
            return Some(self.age(at, bounds, next + 1));
        }
        None
    }

    /// "(Whose employees) stay for 5 years": where the verb begins that says how long people are with a company.
    fn says_stay(&mut self, at: usize) -> Option<usize> {
        let is_passed = |at: usize| matches!(self.text.said(at).as_str(), "for" | "on" | "average");
        let mut verb = at.checked_sub(1)?;
        while is_passed(verb) {
            verb = verb.checked_sub(1)?;
        }
        let is_verb = matches!(self.text.stem(verb).as_str(), "stay" | "remain");
        if self.is_person() || !is_verb {
            return None;
        }
        let noun = verb.checked_sub(1)?;
        let is_noun = self.text.may_be(noun, Cue::Employees)
            || matches!(
                self.text.stem(noun).as_str(),
                "employee" | "staff" | "people" | "team" | "worker" | "workforce" | "personnel"
            );
        // "No employees stay for 5 years"
        let is_denied = noun.checked_sub(1).is_some_and(|before| {
            let said = self.text.said(before);
            self.says_not(before)
                || matches!(said.as_str(), "no" | "few" | "hardly any" | "none of")
        });
        if !is_noun || is_denied {
            return None;
        }
        self.items.retain(|item| item.to <= verb);
        self.items
            .pop_if(|last| last.to == verb && last.from == noun);
        Some(noun)
    }

    /// "at Oracle for more than 5 years", "in their role for 5 years": the time there is not that of all work.
    fn is_stay(&self, at: usize) -> bool {
        let Some(before) = at
            .checked_sub(1)
            .filter(|before| self.text.said(*before) == "for")
        else {
            return false;
        };
        let is_in_role = before.checked_sub(1).is_some_and(|before| {
            matches!(
                self.text.said(before).as_str(),
                "role" | "job" | "position" | "post" | "office" | "seat"
            )
        });
        let mut said = self
            .items
            .iter()
            .rev()
            .filter(|item| !item.what.is_small() && item.to <= before);
        let is_at_company = said
            .next()
            .is_some_and(|item| matches!(item.what, Is::Condition(Class::Company, _)));
        is_in_role || is_at_company
    }

    fn age(&mut self, at: usize, bounds: Bounds, to: usize) -> usize {
        let is_odd = [bounds.low, bounds.high]
            .iter()
            .flatten()
            .any(|(number, _)| *number > MAX_AGE);
        if is_odd || self.text.said(to) == "ago" {
            return self.unsupported_clause(at, to, Reason::NoSuchField);
        }
        if self.is_person() {
            return self.push(Is::Unsupported(Reason::ProtectedTrait), at, to);
        }
        let born = self.born(bounds);
        self.founded(born, at, to)
    }

    pub(super) fn experience(&mut self, at: usize, bounds: Bounds, to: usize) -> usize {
        if !self.is_person() {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        let (bounds, to) = self.open_end(bounds, to);
        let (bounds, to) = self.further_bound(bounds, to, true);
        let is_exact = bounds.low.is_some() && bounds.low == bounds.high;
        let numbers = [bounds.low, bounds.high];
        let is_odd = numbers
            .iter()
            .flatten()
            .any(|(number, _)| *number > MAX_YEARS || is_exact && number.fract() != 0.0);
        if is_odd {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        // "Years of experience between 5 and 10"
        let years = self.items.pop_if(|last| {
            let is_open = matches!(last.what, Is::Unknown | Is::Small | Is::Noise);
            is_open && last.to == at && self.text.stem(last.from) == "year"
        });
        self.condition(
            Class::Years,
            Cond::Number("years_of_experience", bounds),
            years.map_or(at, |years| years.from),
            to,
        )
    }

    /// "15 years of experience or more", "50 employees minimum": the bound behind the unit.
    fn open_end(&self, bounds: Bounds, to: usize) -> (Bounds, usize) {
        let (Some((low, true)), Some((high, true))) = (bounds.low, bounds.high) else {
            return (bounds, to);
        };
        if low.to_bits() != high.to_bits() {
            return (bounds, to);
        }
        let least = &["minimum", "min", "at least", "at minimum", "plus"];
        let most = &["maximum", "max", "at most", "tops"];
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
        } else if let Some(to) = said(UP, least) {
            (bounds.open_above(), to)
        } else if let Some(to) = said(DOWN, most) {
            (bounds.open_below(), to)
        } else {
            (bounds, to)
        }
    }

    /// "at least 4 years of experience but no more than 12": the other bound, without its unit.
    fn further_bound(&self, bounds: Bounds, to: usize, are_years: bool) -> (Bounds, usize) {
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
        let Some(more) = self.text.amount(next).filter(|more| {
            is_joined && is_bound && !more.is_range && !more.is_percent && !more.is_money
        }) else {
            return (bounds, to);
        };
        let mut end = more.to;
        if matches!(self.text.stem(end).as_str(), "year" | "yr") {
            if !are_years {
                return (bounds, to);
            }
            end += 1;
        }
        let has_unit = self.text.piece(end).is_some_and(|piece| {
            piece.number().is_some() || piece.may_be(Cue::Sources) || piece.may_be(Cue::Tenure)
        });
        match (bounds.low, bounds.high, more.bounds.low, more.bounds.high) {
            (Some(low), None, None, Some(high)) | (None, Some(high), Some(low), None)
                if !has_unit =>
            {
                let both = Bounds {
                    low: Some(low),
                    high: Some(high),
                };
                (both, end)
            }
            _ => (bounds, to),
        }
    }

    /// A number of employees, as the size of the company where only that is known (docs/DISCOVER.md, R8).
    pub(super) fn employees(&mut self, at: usize, amount: Amount, to: usize) -> usize {
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
            let (bounds, to) = self.further_bound(bounds, to, false);
            return self.condition(
                Class::Employees,
                Cond::Number("service_employee_count", bounds),
                at,
                to,
            );
        }
        match sizes(bounds) {
            Some(sizes) => self.condition(Class::Size, Cond::In("company_size", sizes), at, to),
            None => self.push(Is::Unsupported(Reason::NoSuchField), at, to),
        }
    }

    /// "size: 51-200", "company size 11-50 or 51-200".
    pub(super) fn size_subject(&mut self, at: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Size) {
            return None;
        }
        let mut next = self.text.skip(
            at + 1,
            &[":", "of", "is", "are", "in", "=", "range", "band"],
        );
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

    /// "headcount of 100 to 2,000", "average tenure over 6 years", "experience: 5+ years".
    pub(super) fn amount_subject(&mut self, at: usize) -> Option<usize> {
        let is = |cue| self.text.may_be(at, cue);
        let passed: &[&str] = &[
            ":",
            "of",
            "is",
            "are",
            "was",
            "should be",
            "should",
            "be",
            "must",
            "must be",
            "size",
            "in",
            "has to",
            "to",
            "=",
            "range",
            "count",
            "level",
            "a",
        ];
        let next = self.text.skip(at + 1, passed);
        let is_plain_people = matches!(
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
        );
        let is_compared = matches!(
            self.text.said(next).as_str(),
            ">" | "<" | "> =" | "< =" | "≥" | "≤"
        ) || self.text.is_mark(at + 1, '=');
        if is(Cue::Employees)
            && (!is_plain_people || is_compared || next > at + 1 && self.text.is_mark(at + 1, ':'))
            && let Some(amount) = self.text.amount(next)
            && !amount.is_percent
        {
            return Some(self.employees(at, amount, amount.to));
        }
        if is(Cue::Tenure)
            && let Some(amount) = self.text.amount(next)
        {
            let factor = match self.text.stem(amount.to).as_str() {
                "year" | "yr" => 1.0,
                "quarter" => 0.25,
                "month" | "mo" => 1.0 / 12.0,
                // "Average tenure above 5": of years, which the column counts.
                _ if self.ends_amount(amount) => {
                    return Some(self.tenure(at, amount.bounds, amount.to, 1.0));
                }
                _ => return None,
            };
            return Some(self.tenure(at, amount.bounds, amount.to + 1, factor));
        }
        if is(Cue::Experience)
            && let Some(amount) = self.text.amount(next)
        {
            let mut to = amount.to;
            if matches!(self.text.stem(to).as_str(), "year" | "yr" | "y") {
                to += 1;
            } else if !matches!(
                self.text.said(at).as_str(),
                "yoe" | "years of experience" | "of experience" | "experience"
            ) {
                return None;
            }
            return Some(self.experience(at, amount.bounds, to));
        }
        if is(Cue::Sources)
            && self.text.is_mark(at + 1, ':')
            && let Some(amount) = self.text.amount(next)
        {
            return Some(self.condition(
                Class::Sources,
                Cond::Number("num_sources", amount.bounds),
                at,
                amount.to,
            ));
        }
        None
    }
}

fn scaled(bounds: Bounds, factor: f64) -> Bounds {
    let scale =
        |bound: Option<(f64, bool)>| bound.map(|(number, inside)| (number * factor, inside));
    Bounds {
        low: scale(bounds.low),
        high: scale(bounds.high),
    }
}

/// The size whose ends these are.
fn bucket(bounds: Bounds) -> Option<String> {
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
