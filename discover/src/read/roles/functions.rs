//! Functions, in front of levels and behind them: "marketing or sales managers", "directors of finance", "engineers in Rome".

use crate::annotate::What;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning, is_adjective};

use super::super::{Class, Is, Reader};
use super::{Values, of_levels_in};

impl Reader<'_> {
    /// A role from its functions on: "marketing or sales managers", "engineering or product managers", "engineers, senior", "engineers".
    pub(super) fn functions_first(&mut self, at: usize) -> usize {
        let Some(functions) = self.functions(at) else {
            return self.push(Is::Unknown, at, at + 1);
        };
        let role = self
            .with_levels(&functions)
            .or_else(|| self.shared_level(at, &functions, &[]));
        if let Some((cond, to)) = role {
            return self.condition(Class::Role, cond, at, to);
        }
        if let Some(to) = self.shared_title(at) {
            return to;
        }
        if let Some(levels) = self.levels_behind_comma(&functions) {
            let cond = of_levels_in(levels.values, functions.values);
            return self.condition(Class::Role, cond, at, levels.to);
        }
        let to = self.people(functions.to);
        let cond = Cond::In("job_function", functions.values);
        self.condition(Class::Role, cond, at, to)
    }

    /// "(Marketing or sales) managers", "(HR) managers and directors": functions with the levels right behind them; the piece behind.
    fn with_levels(&self, functions: &Values) -> Option<(Cond, usize)> {
        let behind = self.people(functions.to);
        let level_at = if self.level(functions.to).is_some() {
            functions.to
        } else {
            behind
        };
        let mut levels = self.level(level_at)?;
        if level_at != functions.to && functions.to != behind {
            return None;
        }
        let Values { values, to } = self.bare_levels(level_at + 1);
        for value in values {
            if !levels.contains(&value) {
                levels.push(value);
            }
        }
        let cond = of_levels_in(levels, functions.values.clone());
        Some((cond, self.people(to)))
    }

    /// More functions behind a first one, as long as they are not the beginning of something else.
    pub(super) fn functions(&self, at: usize) -> Option<Values> {
        let mut values = vec![self.function(at)?];
        let mut to = at + 1;
        while let Some((next, function)) = self.further_function(to)
            && !(self.names_holders(to - 1) && self.has_level_of_its_own(next))
        {
            if !values.contains(&function) {
                values.push(function);
            }
            to = next + 1;
        }
        Some(Values { values, to })
    }

    /// A function behind a separator, and its piece.
    fn further_function(&self, at: usize) -> Option<(usize, String)> {
        let next = self.separator(at)?;
        let function = self.function(next)?;
        // "(Managers at Google in) finance, engineers at Meta" are two kinds of people.
        let is_other = self.text.is_mark(next - 1, ',')
            && self.names_holders(next)
            && !self.names_holders(at.saturating_sub(1));
        (self.title(next).is_none() && !self.means_industry(next) && !is_other)
            .then_some((next, function))
    }

    /// Whether a level that is a noun stands behind the functions that begin at a piece: "engineering or sales managers".
    fn has_level_of_its_own(&self, at: usize) -> bool {
        let mut to = at + 1;
        while let Some((next, _)) = self.further_function(to) {
            to = next + 1;
        }
        self.level(to).is_some_and(|levels| !is_adjective(&levels))
    }

    /// Functions behind levels: "VP Eng", "directors of finance", "director level and above in engineering".
    pub(super) fn functions_behind(&self, to: usize) -> Option<Values> {
        let mut at = self.text.skip(self.people(to), &["title", "titles"]);
        // "A director title and in sales"
        if self.text.may_be(at, Cue::And)
            && self.text.said(at + 1) == "in"
            && self.function(at + 2).is_some()
        {
            at += 1;
        }
        // "Directors or VPs, in marketing"; behind a comma "for" says what they are sought for.
        let is_behind_comma = self.text.is_mark(at, ',') && self.text.said(at + 1) != "for";
        let word = at + usize::from(is_behind_comma);
        let has_word = leads_to_function(&self.text.said(word));
        if has_word {
            at = self.text.skip(word + 1, &["the", "a", "our", "charge of"]);
        } else if self.text.is_mark(at, ',') {
            at += 1;
            if !self.is_of_levels(at, to) {
                return None;
            }
        }
        // "VPs of people": the function of that name.
        if self.text.said(word) == "of"
            && self.text.said(at) == "people"
            && !self.text.stem(word - 1).ends_with("manager")
            && self.ends_noun(at + 1)
        {
            let values = vec!["human resources".to_owned()];
            return Some(Values { values, to: at + 1 });
        }
        if self.means_industry(at) || self.title(at).is_some() {
            return None;
        }
        let mut found = self.functions(at)?;
        // "VPs of marketing or people"
        if self.text.said(word) == "of"
            && let Some(next) = self.separator(found.to)
            && !self.text.is_mark(found.to, ',')
            && self.is_headed_staff(next)
        {
            found.values.push("human resources".to_owned());
            found.to = next + 1;
        }
        // The function of a level of its own: "directors, sales managers".
        let next = found.to;
        let own = self.level(next).is_some() && !has_word && found.values.len() == 1 && at != to;
        (!own).then_some(found)
    }

    /// Whether a function behind a comma is that of the levels in front of it, which end at piece `levels`: "VP, engineering" at the end of
    /// a phrase, "directors or VPs, marketing or sales". "No managers, engineers in Berlin" asks for engineers.
    fn is_of_levels(&self, at: usize, levels: usize) -> bool {
        let is_alone = self.function(at).is_some()
            && !self.says_role(at + 1)
            && self.title(at).is_none()
            && self
                .separator(at + 1)
                .is_none_or(|next| self.ends_role(next));
        let are_lists = self.ends_list(levels)
            && self.functions(at).is_some_and(|functions| {
                self.ends_list(functions.to) && self.level(functions.to).is_none()
            });
        let is_asked = (self.begins_with_not() || self.is_behind_not()) && self.names_people(at);
        (is_alone || are_lists) && !is_asked && !self.text.may_be(at + 1, Cue::People)
    }

    /// Whether nothing goes on with a noun: a mark, a preposition or a joining word stands there.
    fn ends_noun(&self, at: usize) -> bool {
        let leads_on = [
            Cue::In,
            Cue::At,
            Cue::With,
            Cue::Or,
            Cue::And,
            Cue::Without,
            Cue::Outside,
        ];
        self.text.piece(at).is_none_or(|piece| {
            matches!(piece.what, What::Mark(_)) || leads_on.iter().any(|cue| piece.may_be(*cue))
        })
    }

    /// Whether right in front of what is read stands a NOT: "no managers, no interns, engineers in Rome".
    fn is_behind_not(&self) -> bool {
        let mut before = self.items.iter().rev();
        let last = before.find(|item| !item.what.is_small());
        last.is_some_and(|last| last.what == Is::Not)
    }

    /// Whether what begins behind a comma is no role: "VP, marketing, Texas".
    fn ends_role(&self, at: usize) -> bool {
        let leads_on = [Cue::In, Cue::At, Cue::With]
            .iter()
            .any(|cue| self.text.may_be(at, *cue));
        let is_other = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Place(_) | Meaning::Company(_) | Meaning::Contact(_)
            )
        };
        !self.says_role(at) && (leads_on || self.meanings(at).iter().any(is_other))
    }

    /// Whether the value in front of a piece is the last of a list, behind an "or" or "and".
    pub(super) fn ends_list(&self, to: usize) -> bool {
        let joins = |at| self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::And);
        to.checked_sub(2).is_some_and(joins)
    }

    /// Whether a word that is a function and an industry is said of companies.
    pub(in crate::read) fn means_industry(&self, at: usize) -> bool {
        let is_industry = self
            .meanings(at)
            .iter()
            .any(|meaning| matches!(meaning, Meaning::Industry(_)));
        if !is_industry {
            return false;
        }
        let next = at + 1;
        let is_company_noun = |at: usize| {
            self.text.may_be(at, Cue::Sector)
                || (self.text.may_be(at, Cue::Companies) && !self.text.may_be(at, Cue::People))
        };
        if is_company_noun(next) {
            return true;
        }
        // "banking or consulting firms"
        if (self.text.may_be(next, Cue::Or)
            || self.text.may_be(next, Cue::And)
            || self.text.is_mark(next, ','))
            && self
                .meanings(next + 1)
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Industry(_)))
            && !self
                .meanings(next + 1)
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Function(_)))
        {
            return true;
        }
        if self.last_class() == Some(Class::Industry) {
            return true;
        }
        // Behind a whole role another function has no place: "engineers in insurance and consulting", "at consulting".
        let before = at.checked_sub(1);
        before.is_some_and(|before| self.text.said(before) == "at") || {
            let has_function = self.items.iter().any(|item| match &item.what {
                Is::Condition(Class::Role, cond) => {
                    cond.is_about("job_function") || cond.is_about("job_title")
                }
                _ => false,
            });
            let is_joined = self.last_class() == Some(Class::Role);
            has_function
                && !is_joined
                && before.is_some_and(|before| {
                    self.text.may_be(before, Cue::In) || self.text.may_be(before, Cue::Outside)
                })
        }
    }
}

/// Whether a word behind a level says that its function follows.
pub(super) fn leads_to_function(said: &str) -> bool {
    matches!(
        said,
        "of" | "in"
            | "for"
            | "from"
            | "on"
            | "within"
            | "across"
            | "in the"
            | "who work in"
            | "working in"
            | "work in"
    )
}
