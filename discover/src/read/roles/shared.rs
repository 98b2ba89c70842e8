//! Lists that share the noun at their end: "engineering or product managers", "mechanical or electrical engineers".

use crate::cond::{Cond, Within};
use crate::lex::stems;
use crate::meaning::{Cue, Meaning, is_adjective};
use crate::vocabulary::vocabulary;

use super::super::{Class, Reader};
use super::Values;
use super::fields::FIELDS;
use super::functions::leads_to_function;

impl Reader<'_> {
    /// "Engineering or product managers": the noun of the title at the end is that of the functions in front, too, and says their level.
    /// Not where the functions say who is sought ("engineers or product managers"), nor behind a preposition ("people in engineering or
    /// product managers"). The adjectives in front are said of the titles.
    pub(super) fn shared_level(
        &self,
        at: usize,
        functions: &Values,
        adjectives: &[String],
    ) -> Option<(Cond, usize)> {
        let next = self.separator(functions.to)?;
        let joins = next.checked_sub(1)?;
        let is_list = self.text.may_be(joins, Cue::Or)
            || self.text.may_be(joins, Cue::And)
            || self.text.is_mark(joins, '/');
        let title = self.title(next).filter(|_| is_list)?;
        // "HR business partners" are partners of no firm.
        let noun = title.rsplit(' ').next()?;
        if !matches!(noun, "manager" | "director") {
            return None;
        }
        let levels = vocabulary()
            .get(&stems(noun))
            .iter()
            .find_map(|meaning| match meaning {
                Meaning::Level(levels) => Some(levels.clone()),
                _ => None,
            })?;
        let noun = noun.to_owned();
        let listed: Vec<usize> = (at..functions.to)
            .filter(|at| self.function(*at).is_some())
            .collect();
        let is_field = |at: &usize| FIELDS.contains(&self.text.said(*at).as_str());
        // "Product marketing or product managers"
        let is_part = at
            .checked_sub(1)
            .is_some_and(|before| self.function(before).is_some());
        if self.is_led_to(at)
            || is_part
            || title.split(' ').count() < 2
            || !listed.iter().all(is_field)
        {
            return None;
        }
        let (mut titles, to) = self.titles(next, title);
        // "Product or project managers": the first is a title, too.
        let mut fields = Vec::new();
        for at in listed {
            let own = format!("{} {noun}", self.text.said(at));
            match self.function(at) {
                _ if is_title(&own) => titles.push(own),
                Some(function) if !fields.contains(&function) => fields.push(function),
                _ => {}
            }
        }
        let in_title = |title| Cond::Contains("job_title", title, Within::Anywhere);
        let titles = Cond::any(titles.into_iter().map(in_title).collect());
        let titles = if adjectives.is_empty() {
            titles
        } else {
            Cond::all(vec![
                titles,
                Cond::In("seniority_level", adjectives.to_vec()),
            ])
        };
        if fields.is_empty() {
            return Some((titles, to));
        }
        let of_functions = Cond::all(vec![
            Cond::In("seniority_level", levels),
            Cond::In("job_function", fields),
        ]);
        Some((Cond::any(vec![of_functions, titles]), to))
    }

    /// "mechanical or electrical engineers": the noun of the last title is that of the others, too.
    pub(in crate::read) fn shared_title(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || self.is_led_to(at) {
            return None;
        }
        let mut words = vec![self.text.said(at)];
        let mut next = self.separator(at + 1)?;
        let (last, of_functions) = loop {
            if let Some(title) = self.title(next) {
                break (title, None);
            }
            // "Project or sales managers"
            if let Some(functions) = self.functions(next)
                && let Some(levels) = self.level(functions.to)
                && !is_adjective(&levels)
            {
                let noun = self.text.stem(functions.to);
                let cond = Cond::all(vec![
                    Cond::In("seniority_level", levels),
                    Cond::In("job_function", functions.values),
                ]);
                break (noun, Some((cond, functions.to)));
            }
            if words.len() > 4 {
                return None;
            }
            words.push(self.text.said(next));
            next = self.separator(next + 1)?;
        };
        let noun = last.rsplit(' ').next()?.to_owned();
        let mut titles: Vec<String> = words.iter().map(|word| format!("{word} {noun}")).collect();
        if !titles.iter().all(|title| is_title(title)) {
            return None;
        }
        // "Project and sales managers or directors": a level alone is of the same fields, but no title says which.
        let end = of_functions.as_ref().map_or(next, |(_, end)| *end);
        let is_level_alone = self.separator(end + 1).is_some_and(|further| {
            self.level(further)
                .is_some_and(|levels| !is_adjective(&levels))
                && self.title(further).is_none()
                && self.functions_behind(further + 1).is_none()
        });
        if of_functions.is_some() && is_level_alone {
            return None;
        }
        let (cond, end) = match of_functions {
            Some((cond, end)) => (Some(cond), end),
            None => {
                titles.push(last);
                (None, next)
            }
        };
        let titles = titles
            .into_iter()
            .map(|title| Cond::Contains("job_title", title, Within::Anywhere));
        let conds = titles.chain(cond).collect();
        Some(self.condition(Class::Role, Cond::any(conds), at, end + 1))
    }

    /// Whether what is said in front of a piece leads to it, so that no noun behind a list is its own: "people in general or sales
    /// managers", "at a store or HR managers".
    fn is_led_to(&self, at: usize) -> bool {
        let is_article = |said: &str| matches!(said, "a" | "an" | "the" | "our" | "their");
        let before = at.checked_sub(1).filter(|before| {
            let said = self.text.said(*before);
            !is_article(&said)
        });
        let before = before.or_else(|| at.checked_sub(2));
        before.is_some_and(|before| {
            let said = self.text.said(before);
            let mut words = said.rsplit(' ');
            let last = words.find(|word| !is_article(word)).unwrap_or_default();
            leads_to_function(last) || matches!(last, "with" | "at" | "do" | "does" | "doing")
        })
    }
}

/// Whether the vocabulary has a title.
fn is_title(title: &str) -> bool {
    let meanings = vocabulary().get(&stems(title));
    meanings
        .iter()
        .any(|meaning| matches!(meaning, Meaning::Title(_)))
}
