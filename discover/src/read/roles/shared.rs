//! Lists that share the noun at their end: "engineering or product managers", "mechanical or electrical engineers".

use crate::cond::Cond;
use crate::lex::stems;
use crate::meaning::{Cue, Meaning, is_adjective};
use crate::vocabulary::vocabulary;

use super::super::{Class, Reader};
use super::fields::FIELDS;
use super::functions::leads_to_function;
use super::{Values, in_title, of_levels, of_levels_in};

/// What a list ends with whose noun is that of the words in front, too.
struct Last {
    kind: Kind,
    noun: String,
    cond: Cond,
    /// The piece behind it.
    to: usize,
}

#[derive(PartialEq)]
enum Kind {
    /// "(Mechanical or) electrical engineers"
    Title,
    /// "(Project or) sales managers"
    Level,
}

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
        let (noun, levels) = noun_of_level(&title)?;
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
        let (own, fields) = self.titles_and_fields(&listed, &noun);
        titles.extend(own);
        let mut cond = Cond::any(titles.into_iter().map(in_title).collect());
        if !adjectives.is_empty() {
            cond = Cond::all(vec![cond, of_levels(adjectives.to_vec())]);
        }
        if !fields.is_empty() {
            cond = Cond::any(vec![of_levels_in(levels, fields), cond]);
        }
        Some((cond, to))
    }

    /// What functions are with the noun of the title behind them: the titles among them, and the functions. "Product or project
    /// managers": the first is a title, too; "engineering or project managers": it is none.
    fn titles_and_fields(&self, listed: &[usize], noun: &str) -> (Vec<String>, Vec<String>) {
        let (mut titles, mut fields) = (Vec::new(), Vec::new());
        for at in listed {
            let own = format!("{} {noun}", self.text.said(*at));
            match self.function(*at) {
                _ if is_title(&own) => titles.push(own),
                Some(function) if !fields.contains(&function) => fields.push(function),
                _ => {}
            }
        }
        (titles, fields)
    }

    /// "mechanical or electrical engineers": the noun of the last title is that of the others, too.
    pub(in crate::read) fn shared_title(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || self.is_led_to(at) {
            return None;
        }
        let (words, last) = self.words_with_noun(at)?;
        let with_noun = |word: &String| format!("{word} {}", last.noun);
        let titles: Vec<String> = words.iter().map(with_noun).collect();
        let is_open = last.kind == Kind::Level && self.is_level_alone(last.to);
        if is_open || !titles.iter().all(|title| is_title(title)) {
            return None;
        }
        let conds = titles.into_iter().map(in_title).chain([last.cond]);
        let conds = Cond::any(conds.collect());
        Some(self.condition(Class::Role, conds, at, last.to))
    }

    /// "Mechanical or (electrical engineers)": the words in front of what a list ends with, and that.
    fn words_with_noun(&self, at: usize) -> Option<(Vec<String>, Last)> {
        const MAX_WORDS: usize = 5;
        let mut words = vec![self.text.said(at)];
        let mut next = self.separator(at + 1)?;
        loop {
            if let Some(last) = self
                .title_with_noun(next)
                .or_else(|| self.level_with_noun(next))
            {
                return Some((words, last));
            }
            if words.len() == MAX_WORDS {
                return None;
            }
            words.push(self.text.said(next));
            next = self.separator(next + 1)?;
        }
    }

    /// "(Mechanical or) electrical engineers"
    fn title_with_noun(&self, at: usize) -> Option<Last> {
        let title = self.title(at)?;
        Some(Last {
            kind: Kind::Title,
            noun: title.rsplit(' ').next()?.to_owned(),
            cond: in_title(title),
            to: at + 1,
        })
    }

    /// "(Project or) sales managers"
    fn level_with_noun(&self, at: usize) -> Option<Last> {
        let functions = self.functions(at)?;
        let levels = self.level(functions.to)?;
        if is_adjective(&levels) {
            return None;
        }
        Some(Last {
            kind: Kind::Level,
            noun: self.text.stem(functions.to).rsplit(' ').next()?.to_owned(),
            cond: of_levels_in(levels, functions.values),
            to: functions.to + 1,
        })
    }

    /// "(Project and sales managers) or directors": a level alone is of the same fields, but no title says which.
    fn is_level_alone(&self, at: usize) -> bool {
        self.separator(at).is_some_and(|further| {
            self.level(further)
                .is_some_and(|levels| !is_adjective(&levels))
                && self.title(further).is_none()
                && self.functions_behind(further + 1).is_none()
        })
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

/// The noun of a title that says its level, and that level: of "product manager". "HR business partners" are partners of no firm.
fn noun_of_level(title: &str) -> Option<(String, Vec<String>)> {
    let noun = title.rsplit(' ').next()?;
    if !matches!(noun, "manager" | "director") {
        return None;
    }
    let mut meanings = vocabulary().get(&stems(noun)).iter();
    let levels = meanings.find_map(|meaning| match meaning {
        Meaning::Level(levels) => Some(levels.clone()),
        _ => None,
    });
    Some((noun.to_owned(), levels?))
}
