//! Roles that begin with a level: "directors or VPs, in marketing", "senior finance managers", "junior to mid-level".

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Cue, is_adjective};

use super::super::{Class, Is, Reader};
use super::functions::leads_to_function;
use super::{Values, in_title, of_levels, of_levels_in};

impl Reader<'_> {
    /// A role that begins with a level: "directors of finance", but neither the graduates of a school nor "more senior than managers".
    pub(super) fn level_first(&mut self, at: usize, levels: Vec<String>) -> usize {
        if self.are_graduates(at) {
            return self.trapped(at, at + 1, Reason::NoSuchField);
        }
        if let Some((from, to)) = self.bound_of_levels(at) {
            return self.push(Is::Unsupported(Reason::NoSuchField), from, to);
        }
        let levels = self.levels_between(at, levels);
        self.levels_first(at, levels)
    }

    /// "(Stanford) graduates": a school's, not a level.
    fn are_graduates(&self, at: usize) -> bool {
        let is_school = |last: &Is| {
            matches!(
                last,
                Is::Unknown | Is::Condition(Class::Company | Class::Place | Class::Name, _)
            )
        };
        let last = self.items.last().filter(|last| last.to == at);
        matches!(self.text.stem(at).as_str(), "graduate" | "grad")
            && last.is_some_and(|last| self.ends_school() || is_school(&last.what))
    }

    /// "Less than directors", "more senior than managers": a bound that no list of levels says; its first piece, and the one behind it.
    fn bound_of_levels(&self, at: usize) -> Option<(usize, usize)> {
        let bounds = [Cue::Less, Cue::More, Cue::AtMost];
        let before = at.checked_sub(1);
        let bound = before.filter(|at| bounds.iter().any(|cue| self.text.may_be(*at, *cue)));
        if let Some(bound) = bound {
            return Some((bound, self.people(at + 1)));
        }
        let is_compared = self.text.said(at + 1) == "than" && self.level(at + 2).is_some();
        let more = before.filter(|before| self.text.said(*before) == "more");
        is_compared.then(|| (more.unwrap_or(at), self.people(at + 3)))
    }

    /// A role from its levels on: "VPs and directors of finance", "senior product managers", "directors".
    fn levels_first(&mut self, at: usize, mut levels: Values) -> usize {
        loop {
            self.take_nouns(&mut levels);
            let role = self
                .of_titles(&levels)
                .or_else(|| self.of_functions(&levels));
            if let Some((cond, to)) = role {
                return self.condition(Class::Role, cond, at, to);
            }
            let Some((next, more)) = self.further_level(&levels) else {
                let to = self.people(levels.to);
                return self.condition(Class::Role, of_levels(levels.values), at, to);
            };
            for value in more {
                if !levels.values.contains(&value) {
                    levels.values.push(value);
                }
            }
            levels.to = next + 1;
        }
    }

    /// "Junior or senior directors": the later level is the person's.
    fn take_nouns(&self, levels: &mut Values) {
        while is_adjective(&levels.values)
            && let Some(values) = self.level(levels.to)
            && !is_adjective(&values)
        {
            *levels = Values {
                values,
                to: levels.to + 1,
            };
        }
    }

    /// "(Senior) product managers": levels of the titles right behind them; the piece behind.
    fn of_titles(&self, levels: &Values) -> Option<(Cond, usize)> {
        if self.people(levels.to) != levels.to {
            return None;
        }
        let (titles, to) = self.titles(levels.to, self.title(levels.to)?);
        let titles = Cond::any(titles.into_iter().map(in_title).collect());
        let cond = Cond::all(vec![titles, of_levels(levels.values.clone())]);
        Some(if to == levels.to + 1 {
            self.or_levels_of_field(levels.to, cond)
        } else {
            (cond, to)
        })
    }

    /// "(Directors) of finance", "(senior) finance managers", "(senior) engineering or product managers": levels of the functions behind
    /// them; the piece behind.
    fn of_functions(&self, levels: &Values) -> Option<(Cond, usize)> {
        let functions = self.functions_behind(levels.to)?;
        if is_adjective(&levels.values)
            && self.function(levels.to).is_some()
            && let Some(shared) = self.shared_level(levels.to, &functions, &levels.values)
        {
            return Some(shared);
        }
        let is_in_front = levels.to == self.people(levels.to);
        // "senior finance managers": the later level is the person's.
        if let Some(more) = self.level(functions.to).filter(|_| is_in_front) {
            let values = if is_adjective(&levels.values) && !is_adjective(&more) {
                more
            } else {
                [levels.values.clone(), more].concat()
            };
            return Some((of_levels_in(values, functions.values), functions.to + 1));
        }
        let to = self.people(functions.to);
        Some((of_levels_in(levels.values.clone(), functions.values), to))
    }

    /// A level that a list goes on with, and its piece: "(VPs) and directors". Not "(managers) or senior engineers": the next level has a
    /// role of its own, without "of" for both. Not so "junior or senior engineers", where neither is anything without it.
    fn further_level(&self, levels: &Values) -> Option<(usize, Vec<String>)> {
        let behind = self.people(levels.to);
        let next = self.separator(behind)?;
        let more = self.level(next)?;
        let is_shared = is_adjective(&levels.values) && is_adjective(&more) && behind == levels.to;
        let has_role = self.function(next + 1).is_some() || self.title(next + 1).is_some();
        (is_shared || !has_role).then_some((next, more))
    }

    /// "Junior to mid-level": these and what is between them.
    pub(super) fn levels_between(&self, at: usize, first: Vec<String>) -> Values {
        const ORDER: [&str; 8] = [
            "training", "entry", "mid", "senior", "manager", "director", "vp", "cxo",
        ];
        let place = |values: &[String]| match values {
            [only] => ORDER.iter().position(|level| level == only),
            _ => None,
        };
        let is_to = matches!(
            self.text.said(at + 1).as_str(),
            "to" | "through" | "–" | "up to"
        );
        if is_to
            && let Some(last) = self.level(at + 2)
            && let (Some(from), Some(to)) = (place(&first), place(&last))
            && from < to
        {
            let between = ORDER.get(from..=to).unwrap_or_default();
            return Values {
                values: between.iter().map(|level| (*level).to_owned()).collect(),
                to: at + 3,
            };
        }
        Values {
            values: first,
            to: at + 1,
        }
    }

    /// Levels behind separators that have no role of their own: "(HR managers) and directors".
    pub(super) fn bare_levels(&self, mut to: usize) -> Values {
        let mut values = Vec::new();
        while let Some(next) = self.separator(to)
            && let Some(more) = self.level(next)
            && self.functions_behind(next + 1).is_none()
            && self.function(next + 1).is_none()
            && self.title(next + 1).is_none()
        {
            values.extend(more);
            to = next + 1;
        }
        Values { values, to }
    }

    /// "Senior", in front of a role.
    pub(super) fn adjective_level(&self, at: usize) -> Option<Vec<String>> {
        self.level(at).filter(|levels| is_adjective(levels))
    }

    /// Levels behind functions and a comma: "marketing or sales, directors or VPs", "engineers, senior". What is no list and says by
    /// itself who is sought is an alternative: "engineers, directors".
    pub(super) fn levels_behind_comma(&self, functions: &Values) -> Option<Values> {
        let comma = self.people(functions.to);
        let first = self.text.is_mark(comma, ',').then_some(comma + 1)?;
        let mut levels = self.levels_between(first, self.level(first)?);
        while let Some(next) = self.separator(levels.to)
            && let Some(more) = self.level(next)
        {
            levels.values.extend(more);
            levels.to = next + 1;
        }
        let are_lists = self.ends_list(functions.to) && self.ends_list(levels.to);
        let has_own = self.says_role(levels.to)
            || leads_to_function(&self.text.said(levels.to))
                && self.function(levels.to + 1).is_some();
        // "Engineers, juniors" are two kinds of people.
        let is_plural = self.text.said(levels.to - 1) != self.text.stem(levels.to - 1);
        let are_adjectives = is_adjective(&levels.values) && !is_plural;
        ((are_lists || are_adjectives) && !has_own).then_some(levels)
    }
}
