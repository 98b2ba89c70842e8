//! Lists whose values stand on lines of their own or are parted by semicolons, and values of another kind in between.

use crate::combine::is_list;
use crate::cond::Cond;
use crate::meaning::is_adjective;

use super::{Class, Is, Reader};

/// Lists of more lines than that are not looked at.
const MAX_PARTS: usize = 50;

impl Reader<'_> {
    /// Reads which parts of a text are values of one list, and which narrow it.
    pub(super) fn lists(&mut self) {
        let parting = |at: &usize| self.is_parting(*at, &[";", "\n"]);
        if (0..self.items.len()).filter(parting).count() <= MAX_PARTS {
            self.each(Self::parted);
        }
        self.each(Self::rank_bound);
        self.field();
    }

    /// "CEO; CFO", or each on its own line: values of one column are alternatives, as behind a comma. "Directors; Texas; sales" has
    /// one of each, all of which must hold, and so has "Title - CFO; Seniority - director", where a label stands between.
    fn parted(&mut self, item: usize) {
        let Some(before) = item.checked_sub(1) else {
            return;
        };
        if !self.is_parting(item, &[";", "\n"]) || self.class(before).is_none() {
            return;
        }
        let mut next = item + 1;
        while self.is_parting(next, &[";", "\n"]) {
            next += 1;
        }
        // "- nurses⏎- recruiters"
        let begins_line = next
            .checked_sub(1)
            .is_some_and(|end| self.words(end) == "\n");
        if begins_line
            && matches!(self.words(next).as_str(), "-" | "—")
            && self.class(next).is_none()
        {
            next += 1;
        }
        if !self.are_alternatives(before, next) || self.is_left_out(before) {
            return;
        }
        for at in item..next {
            let what = if at == item { Is::Comma } else { Is::Noise };
            if let Some(part) = self.items.get_mut(at)
                && part.what == Is::Break
            {
                part.what = what;
            }
        }
    }

    /// Whether an item is one of these marks, and ends something.
    fn is_parting(&self, item: usize, marks: &[&str]) -> bool {
        self.what(item) == Some(&Is::Break) && marks.contains(&self.words(item).as_str())
    }

    /// Whether two items are values of one column. A place or an employer with a noun
    /// behind it, "engineers in Texas; Ohio nurses", is of another list.
    fn are_alternatives(&self, one: usize, other: usize) -> bool {
        let conds = (self.what(one), self.what(other));
        let (Some(Is::Condition(class, one)), Some(Is::Condition(second, behind))) = conds else {
            return false;
        };
        let ends = matches!(
            self.what(other + 1),
            None | Some(Is::Comma | Is::Or | Is::And | Is::Break | Is::Close)
        );
        class == second
            && is_list(*class)
            && (!matches!(class, Class::Place | Class::Company) || ends)
            && column(one).is_some()
            && (column(one) == column(behind) || are_whole_roles(one, behind))
    }

    /// "Directors, in Texas, sales": the function at the end, behind something else, is that of those whose level was said before,
    /// where it stands alone and names no people. "Directors in Texas, engineers in Ohio" are two kinds, and so are "directors in
    /// Texas, sales, Ohio".
    fn field(&mut self) {
        let ends = |at: &usize| self.what(*at) != Some(&Is::Break);
        let Some(item) = (0..self.items.len()).rev().find(ends) else {
            return;
        };
        let is_behind = self.before_label(item).is_some_and(|before| {
            self.what(before) == Some(&Is::Comma) || self.is_parting(before, &[";", "\n", "—"])
        });
        // "Directors not in Texas, sales" may leave out sales, "…, in sales" does not.
        let is_plain = !self.leaves_out() || self.has_preposition(item);
        if !is_behind || !is_plain || !self.is_field(item) || !self.follows_level(item) {
            return;
        }
        if let Some(Is::Condition(class, _)) = self.items.get_mut(item).map(|item| &mut item.what) {
            *class = Class::Field;
        }
    }

    /// Whether "in" stands right in front of an item, and is no part of "not in".
    fn has_preposition(&self, item: usize) -> bool {
        item.checked_sub(1)
            .is_some_and(|before| self.is_small(before) && self.words(before) == "in")
    }

    /// Whether an item is a function by itself that names no people: "sales", "finance", but not "engineers".
    pub(super) fn is_field(&self, item: usize) -> bool {
        let Some(Is::Condition(Class::Role, Cond::In("job_function", functions))) = self.what(item)
        else {
            return false;
        };
        let last = self.items.get(item).and_then(|item| item.to.checked_sub(1));
        last.is_some_and(|last| {
            let said = self.text.said(last);
            self.text.stem(last) == said || functions.contains(&said)
        })
    }

    /// Whether the role in front is a level by itself, and something else stands between.
    fn follows_level(&self, item: usize) -> bool {
        let mut roles = (0..item)
            .rev()
            .filter(|at| self.class(*at) == Some(Class::Role));
        let (Some(level), None) = (roles.next(), roles.next()) else {
            return false;
        };
        let is_level = matches!(
            self.what(level),
            Some(Is::Condition(_, Cond::In("seniority_level", _)))
        );
        let is_other = |at: usize| self.class(at).is_some() || self.is_reported(at);
        let has_other = (level + 1..item).any(is_other);
        is_level && has_other && !self.is_left_out(level)
    }
}

/// Whether each says by itself who is sought, one of them by a title: "CFOs; finance directors".
fn are_whole_roles(one: &Cond, other: &Cond) -> bool {
    let is_titled = |cond: &Cond| cond.is_about("job_title");
    let is_of_function = |cond: &Cond| {
        let Cond::All(parts) = cond else { return false };
        let is_noun = |part: &Cond| matches!(part, Cond::In("seniority_level", levels) if !is_adjective(levels));
        parts.iter().any(is_noun) && cond.is_about("job_function")
    };
    is_titled(one) && is_of_function(other) || is_of_function(one) && is_titled(other)
}

/// The column of a condition, of a place the narrowest.
pub(super) fn column(cond: &Cond) -> Option<&'static str> {
    match cond {
        Cond::In(column, _) | Cond::Contains(column, ..) => Some(column),
        Cond::All(parts) | Cond::Any(parts) => parts.first().and_then(column),
        _ => None,
    }
}
