//! Lists whose values stand on lines of their own or are parted by semicolons, and values of another kind in between.

use crate::combine::is_list;
use crate::cond::Cond;
use crate::meaning::is_adjective;

use super::{Class, Is, Reader};

impl Reader<'_> {
    /// Reads which parts of a text are values of one list, and which narrow it.
    pub(super) fn lists(&mut self) {
        self.each(Self::parted);
        self.each(Self::field);
    }

    /// "CEO; CFO", or each on its own line: values of one column are alternatives, as behind a comma. "Directors; Texas; sales" has
    /// one of each, all of which must hold.
    fn parted(&mut self, item: usize) {
        let Some(before) = self.before_small(item) else {
            return;
        };
        if !self.is_parting(item, &[";", "\n"]) || self.is_left_out(before) {
            return;
        }
        let parts = |at: &usize| self.is_small(*at) || self.is_parting(*at, &[";", "\n", "—"]);
        let next = item + (item..).take_while(parts).count();
        if !self.are_alternatives(before, next) {
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

    /// Whether two items are values of one column, or ways to say who is sought.
    fn are_alternatives(&self, one: usize, other: usize) -> bool {
        let conds = (self.what(one), self.what(other));
        let (Some(Is::Condition(class, one)), Some(Is::Condition(second, other))) = conds else {
            return false;
        };
        let (Some(first), Some(behind)) = (column(one), column(other)) else {
            return false;
        };
        let is_title = [first, behind].contains(&"job_title");
        let says_who = |cond: &Cond| !matches!(cond, Cond::In(_, levels) if is_adjective(levels));
        let are_roles = is_title && says_who(one) && says_who(other);
        class == second && is_list(*class) && (first == behind || are_roles)
    }

    /// "Directors, in Texas, sales": the function behind something else is that of those whose level was said before, where it stands
    /// alone and names no people. "Directors in Texas, engineers in Ohio" are two kinds.
    fn field(&mut self, item: usize) {
        let is_behind = self.before_small(item).is_some_and(|before| {
            self.what(before) == Some(&Is::Comma) || self.is_parting(before, &[";", "\n", "—"])
        });
        let ends = matches!(
            self.what(item + 1),
            None | Some(Is::Comma | Is::Break | Is::Close)
        );
        if !is_behind || !ends || !self.is_field(item) || !self.follows_level(item) {
            return;
        }
        if let Some(Is::Condition(class, _)) = self.items.get_mut(item).map(|item| &mut item.what) {
            *class = Class::Field;
        }
    }

    /// Whether an item is a function by itself that names no people: "sales", "finance", but not "engineers".
    fn is_field(&self, item: usize) -> bool {
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
        let has_other = (level + 1..item).any(|at| self.class(at).is_some());
        is_level && has_other && !self.is_left_out(level)
    }
}

/// The column of a condition, of a place the narrowest.
fn column(cond: &Cond) -> Option<&'static str> {
    match cond {
        Cond::In(column, _) | Cond::Contains(column, ..) => Some(column),
        Cond::All(parts) | Cond::Any(parts) => parts.first().and_then(column),
        _ => None,
    }
}
