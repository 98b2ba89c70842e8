//! Roles that begin with a level: "directors or VPs, in marketing", "senior finance managers", "junior to mid-level".

use crate::cond::{Cond, Within};
use crate::meaning::is_adjective;

use super::super::{Class, Reader};
use super::Values;
use super::functions::leads_to_function;

impl Reader<'_> {
    pub(super) fn levels_first(&mut self, at: usize, mut levels: Values) -> usize {
        loop {
            // "Junior or senior directors": the later level is the person's.
            while is_adjective(&levels.values)
                && let Some(values) = self.level(levels.to)
                && !is_adjective(&values)
            {
                levels = Values {
                    values,
                    to: levels.to + 1,
                };
            }
            // "junior" and the like belong to the title behind them.
            if let Some(title) = self.title(self.people(levels.to))
                && self.people(levels.to) == levels.to
            {
                let titles = self.titles(levels.to, title);
                let cond = Cond::all(vec![
                    Cond::any(
                        titles
                            .0
                            .into_iter()
                            .map(|title| Cond::Contains("job_title", title, Within::Anywhere))
                            .collect(),
                    ),
                    Cond::In("seniority_level", levels.values),
                ]);
                let (cond, to) = if titles.1 == levels.to + 1 {
                    self.or_levels_of_field(levels.to, cond)
                } else {
                    (cond, titles.1)
                };
                return self.condition(Class::Role, cond, at, to);
            }
            if let Some(functions) = self.functions_behind(levels.to) {
                if is_adjective(&levels.values)
                    && self.function(levels.to).is_some()
                    && let Some((cond, to)) =
                        self.shared_level(levels.to, &functions, &levels.values)
                {
                    return self.condition(Class::Role, cond, at, to);
                }
                let to = self.people(functions.to);
                // "senior finance managers": the later level is the person's.
                if let Some(more) = self
                    .level(functions.to)
                    .filter(|_| levels.to == self.people(levels.to))
                {
                    let values = if is_adjective(&levels.values) && !is_adjective(&more) {
                        more
                    } else {
                        [levels.values.clone(), more].concat()
                    };
                    let cond = Cond::all(vec![
                        Cond::In("seniority_level", values),
                        Cond::In("job_function", functions.values),
                    ]);
                    return self.condition(Class::Role, cond, at, functions.to + 1);
                }
                let cond = Cond::all(vec![
                    Cond::In("seniority_level", levels.values),
                    Cond::In("job_function", functions.values),
                ]);
                return self.condition(Class::Role, cond, at, to);
            }
            let more = self
                .separator(self.people(levels.to))
                .and_then(|next| Some((next, self.level(next)?)));
            let Some((next, more)) = more else {
                let to = self.people(levels.to);
                return self.condition(
                    Class::Role,
                    Cond::In("seniority_level", levels.values),
                    at,
                    to,
                );
            };
            // "managers or senior engineers": the next level has a role of its own, without "of" for both. Not so "junior or senior
            // engineers", where neither is anything without it.
            let is_shared = is_adjective(&levels.values)
                && is_adjective(&more)
                && self.people(levels.to) == levels.to;
            let own =
                !is_shared && (self.function(next + 1).is_some() || self.title(next + 1).is_some());
            if own {
                let to = self.people(levels.to);
                return self.condition(
                    Class::Role,
                    Cond::In("seniority_level", levels.values),
                    at,
                    to,
                );
            }
            for value in more {
                if !levels.values.contains(&value) {
                    levels.values.push(value);
                }
            }
            levels.to = next + 1;
        }
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
