//! A condition behind others: whether it goes on with the last of them, begins a phrase, is an alternative, or must hold, too.

use crate::cond::Cond;
use crate::read::{Class, Is};
use crate::told::Part;

use super::{Builder, Group, Join, are_both_names, is_head, is_level, is_list};

/// A condition, and what the words in front of it say.
struct Following {
    class: Class,
    part: Part,
    join: Join,
    negated: bool,
    /// It goes on with what is left out, over what was not understood.
    goes_on: bool,
    is_except: bool,
    is_unwanted: bool,
    has_gap: bool,
    is_either: bool,
    is_anew: bool,
}

impl Builder<'_> {
    /// Each rule gives back what it does not take.
    pub(super) fn condition(&mut self, class: Class, part: Part) {
        let Some(mut next) = self.following(class, part) else {
            self.has_gap = false;
            self.is_behind_gap = false;
            return;
        };
        if self.is_of_exception(&next) {
            return self.of_exception(next);
        }
        self.take_marks(&mut next);
        if self.is_noun_elsewhere(&next) {
            self.is_first_whole = true;
            return self.begin(next);
        }
        let rest = self.goes_on_list(next);
        let rest = rest.and_then(|next| self.begins_phrase(next));
        let rest = rest.and_then(|next| self.is_left_out_too(next));
        if let Some(next) = rest.and_then(|next| self.alternative(next)) {
            self.holds_too(next);
        }
    }

    /// A condition with what joins and turns it round; none if it is said of what somebody does not want.
    fn following(&mut self, class: Class, part: Part) -> Option<Following> {
        let join = self.join.take().unwrap_or(Join::Nothing);
        // "Not at Foobarly or Acme in Spain": what joins stands in front of a name that is not known, not of the place. "Excluding small
        // and family-owned banks" leaves out the noun.
        let is_where = class == Class::Place && self.is_behind_gap && self.has_noise_behind_gap;
        let goes_on = std::mem::take(&mut self.gap_was_negated)
            && !is_where
            && (join == Join::Or
                || join == Join::And && (is_list(class) || !self.has_noise)
                || join == Join::Comma && !self.has_noise);
        let negated = std::mem::take(&mut self.negated) || goes_on;
        let is_except = std::mem::take(&mut self.is_except) && negated && class == Class::Role;
        let is_unwanted = std::mem::take(&mut self.is_unwanted) && negated;
        let part = self.of_unwanted(class, part, join, negated && !is_unwanted)?;
        Some(Following {
            class,
            part,
            join,
            negated,
            goes_on,
            is_except,
            is_unwanted,
            has_gap: self.has_gap,
            is_either: false,
            is_anew: false,
        })
    }

    /// "I don't want nurses in Texas or doctors in Ohio": what stands behind what is not wanted is said of it, and behind a joining
    /// word of another kind it is not wanted either. Gives back what is neither.
    fn of_unwanted(&mut self, class: Class, part: Part, join: Join, turned: bool) -> Option<Part> {
        let Some(last) = self.groups.last_mut().filter(|last| last.is_unwanted) else {
            return Some(part);
        };
        let is_joined = matches!(join, Join::Or | Join::And);
        let is_noun = class == Class::Role && last.class == class && !last.is_adjective();
        match last.with.last_mut() {
            // "Don't want recruiters nurses in Texas"
            _ if join == Join::Nothing && is_noun => return Some(part),
            _ if join == Join::Nothing => {
                let part = if turned { part.not(self.items) } else { part };
                last.with.push((class, vec![part]));
            }
            Some((said, any)) if is_joined && !turned && *said == class => any.push(part),
            None if is_joined && !turned && last.class == class && is_list(class) => {
                last.conds.push(part);
            }
            _ if is_joined && !turned && !self.is_anew => self.groups.push(Group {
                is_unwanted: true,
                ..Group::new(class, part, true)
            }),
            _ => return Some(part),
        }
        None
    }

    /// Whether it is said of an exception in front: "except directors at banks", "… or insurers".
    fn is_of_exception(&self, next: &Following) -> bool {
        let Some(last) = self.groups.last() else {
            return false;
        };
        // "Everybody except managers in Spain" are those in Spain.
        let begins = next.join == Join::Nothing
            && next.class != Class::Role
            && self.groups.len() > 1
            && last.is_except;
        let goes_on = matches!(next.join, Join::Or | Join::And | Join::Comma)
            && last.with.last().is_some_and(|with| with.0 == next.class);
        !next.negated && !next.has_gap && (begins || goes_on)
    }

    fn of_exception(&mut self, next: Following) {
        let Some(last) = self.groups.last_mut() else {
            return;
        };
        match last.with.last_mut() {
            Some((_, alternatives)) if next.join != Join::Nothing => alternatives.push(next.part),
            _ => last.with.push((next.class, vec![next.part])),
        }
    }

    /// Takes what the words in front said, and what joins it over a gap.
    fn take_marks(&mut self, next: &mut Following) {
        next.has_gap = std::mem::take(&mut self.has_gap);
        self.is_behind_gap = false;
        next.join = self.join_over_gap(next);
        next.is_either = std::mem::take(&mut self.is_either);
        next.is_anew = std::mem::take(&mut self.is_anew);
    }

    /// "In Atlantis or Boston": the other side of the OR is not known.
    fn join_over_gap(&self, next: &Following) -> Join {
        match (next.join, self.groups.last()) {
            // "Insurers excluding crypto or German banks": an OR in what is left out, none of those that are sought.
            (Join::Or, Some(last)) if next.goes_on && !last.negated => Join::And,
            (Join::Or, Some(last)) if next.has_gap && last.class != next.class => Join::Nothing,
            // "Senior or principal engineers", where nobody knows what principal is: senior ones.
            (Join::Or, Some(last))
                if next.has_gap && last.is_adjective() && !is_level(&next.part.cond) =>
            {
                Join::Nothing
            }
            (join, _) => join,
        }
    }

    /// Whether the group before may go on, also behind a value of its list that is not known: "at Google, Foobarly or Amazon".
    fn may_go_on(&self, next: &Following) -> bool {
        let Some(last) = self.groups.last() else {
            return false;
        };
        let joins = matches!(next.join, Join::Or | Join::And | Join::Comma);
        let is_listed = is_list(next.class) && joins && !next.negated;
        // "Not in sales, not in marketing, managers": what has no NOT of its own, and is of another column, is asked for.
        let is_without = last.repeats && !next.negated && next.join == Join::Comma;
        let ends_list = next.is_anew && last.negated
            || is_without
                && last
                    .conds
                    .iter()
                    .all(|part| are_apart(&part.cond, &next.part.cond));
        let is_turned_alike = last.negated == next.negated || last.negated && joins;
        (!next.has_gap || is_listed)
            && !ends_list
            && last.with.is_empty()
            && last.class == next.class
            && last.others.is_empty()
            && next.join != Join::Break
            && is_turned_alike
    }

    /// A further value of the class in front.
    fn goes_on_list(&mut self, next: Following) -> Option<Following> {
        if !self.may_go_on(&next) {
            return Some(next);
        }
        let last = self.groups.last_mut()?;
        let Following {
            class,
            part,
            join,
            negated,
            ..
        } = next;
        last.repeats |= last.negated && negated;
        let is_word = matches!(join, Join::Or | Join::Comma | Join::And | Join::Nothing);
        let is_beside = matches!(class, Class::Role | Class::Company | Class::Place);
        if is_word && is_list(class) && (join != Join::Nothing || is_beside) {
            last.lists(class, part, join);
            return None;
        }
        // Without one and without the other: of negations each must hold.
        if last.negated && !is_list(class) {
            last.conds.push(part);
            return None;
        }
        let next = Following { part, ..next };
        if is_list(class) || class == Class::Flag {
            return Some(next);
        }
        last.counts(next)
    }

    /// "Public banks or private insurers": the class that began the first phrase comes again, behind something else.
    fn begins_phrase(&mut self, next: Following) -> Option<Following> {
        let (class, join) = (next.class, next.join);
        let in_phrase = self.in_phrase();
        let is_named = class == Class::Role || class == Class::Industry && !self.has_noise;
        let joins = matches!(join, Join::Or | Join::And | Join::Comma | Join::Nothing)
            || join == Join::Break && is_named;
        let begins_anew = is_head(class)
            && !next.negated
            && joins
            && (join != Join::Nothing || class == Class::Role)
            && in_phrase.len() > 1
            && in_phrase
                .first()
                .is_some_and(|first| first.class == class && !first.negated)
            && self.groups.last().is_some_and(|last| last.class != class);
        if !begins_anew {
            return Some(next);
        }
        self.begin(next);
        None
    }

    /// "German nurses with linkedin, engineers in France": a second noun, of people who are elsewhere than those in front.
    fn is_noun_elsewhere(&self, next: &Following) -> bool {
        let joins = matches!(next.join, Join::Or | Join::Comma | Join::And);
        let behind = self.range(self.at + 1, self.items.len());
        let follows = behind.iter().find(|item| !item.what.is_small());
        let place = follows.and_then(|item| match &item.what {
            Is::Condition(Class::Place, cond) => Some(cond),
            _ => None,
        });
        let [origin, noun, rest @ ..] = self.groups.as_slice() else {
            return false;
        };
        // "German nurses or engineers in France" are both of one origin.
        let is_apart = match rest.last() {
            Some(last) => last.class != Class::Role,
            None => next.join == Join::Comma,
        };
        let is_elsewhere = place.is_some_and(|place| {
            let mut said = origin.conds.iter();
            said.all(|part| excludes(&part.cond, place))
        });
        next.class == Class::Role
            && !next.negated
            && joins
            && self.phrases.is_empty()
            && origin.class == Class::Place
            && !origin.negated
            && noun.class == Class::Role
            && is_apart
            && is_elsewhere
    }

    /// "Except in Austin or at Amazon": neither.
    fn is_left_out_too(&mut self, next: Following) -> Option<Following> {
        let is_left_out = self.groups.last().is_some_and(|last| last.negated);
        if next.join != Join::Or || !is_left_out || next.negated || next.is_anew {
            return Some(next);
        }
        self.groups.push(Group::new(next.class, next.part, true));
        None
    }

    /// What an OR joins with something of another class: a phrase of its own, or one of two conditions.
    fn alternative(&mut self, next: Following) -> Option<Following> {
        let is_or = next.join == Join::Or;
        if !is_or && !self.is_phrase_again(&next) {
            return Some(next);
        }
        if let Some(begin) = self.begin_of_far_phrase(&next) {
            self.first_phrase = begin;
            self.begin(next);
            return None;
        }
        if !is_or {
            return Some(next);
        }
        if self.is_other_head(&next) {
            self.begin(next);
            return None;
        }
        // "C-level or with 20+ years": alternatives of two classes.
        let Some(last) = self.groups.last_mut() else {
            return Some(next);
        };
        last.others
            .push(Group::new(next.class, next.part, next.negated));
        None
    }

    /// "Sales people in Berlin with LinkedIn or Paris": too far away to be a list; another phrase from there on.
    fn begin_of_far_phrase(&self, next: &Following) -> Option<usize> {
        let in_phrase = self.in_phrase();
        let is_one =
            is_head(next.class) && !next.negated && self.phrases.is_empty() && in_phrase.len() > 1;
        let is_leading = |group: &Group| group.class == next.class && !group.negated;
        let leading = in_phrase.iter().position(is_leading).filter(|_| is_one)?;
        Some(self.phrase() + leading)
    }

    /// "From Google in Zurich and from Meta in London": nobody is of both, and what was said of the first is said of the second.
    fn is_phrase_again(&self, next: &Following) -> bool {
        let in_phrase = self.in_phrase();
        let is_joined = next.join == Join::And || next.join == Join::Comma && self.has_noise;
        let behind = self.range(self.at + 1, self.items.len());
        let follows = behind.iter().find(|item| !item.what.is_small());
        let said_again = match follows.map(|item| &item.what) {
            Some(Is::Condition(class, _)) if *class != next.class => in_phrase
                .iter()
                .any(|group| group.class == *class && !group.negated),
            _ => false,
        };
        let excludes = |group: &Group| {
            group.class == next.class
                && !group.negated
                && group
                    .conds
                    .iter()
                    .all(|part| excludes(&part.cond, &next.part.cond))
        };
        let is_other = self
            .groups
            .last()
            .is_some_and(|last| last.class != next.class);
        is_joined
            && said_again
            && is_other
            && matches!(
                next.class,
                Class::Company | Class::Place | Class::Industry | Class::Size
            )
            && in_phrase.iter().any(excludes)
    }

    /// A head of another class behind a whole phrase: "nonprofits founded before 1950, or universities with ...".
    fn is_other_head(&self, next: &Following) -> bool {
        let in_phrase = self.in_phrase();
        let is_noun = matches!(
            next.class,
            Class::Role | Class::Industry | Class::Type | Class::Size
        );
        let first = in_phrase.first();
        is_noun
            && !next.negated
            && !next.is_either
            && in_phrase.len() > 1
            && first.is_some_and(|first| is_head(first.class) && !first.negated)
            && self.groups.last().is_some_and(|last| !is_head(last.class))
    }

    /// Where the phrase begins that is read.
    fn phrase(&self) -> usize {
        self.phrases.last().copied().unwrap_or(0)
    }

    fn in_phrase(&self) -> &[Group] {
        self.groups.get(self.phrase()..).unwrap_or_default()
    }

    /// Begins a phrase.
    fn begin(&mut self, next: Following) {
        self.phrases.push(self.groups.len());
        self.groups
            .push(Group::new(next.class, next.part, next.negated));
    }

    /// Must hold beside what stands in front.
    fn holds_too(&mut self, next: Following) {
        let after_break = matches!(next.join, Join::Comma | Join::But | Join::Break);
        self.groups.push(Group {
            after_break,
            is_except: next.is_except,
            is_unwanted: next.is_unwanted,
            ..Group::new(next.class, next.part, next.negated)
        });
    }
}

/// Whether two conditions are on columns of their own.
fn are_apart(one: &Cond, other: &Cond) -> bool {
    let (columns, others) = (one.columns(), other.columns());
    !columns.iter().any(|column| others.contains(column))
}

/// Whether no record has both: two values of one column, unless a company has several.
fn excludes(one: &Cond, other: &Cond) -> bool {
    let narrowest = |cond: &Cond| match cond {
        Cond::All(parts) => parts.first().cloned(),
        cond => Some(cond.clone()),
    };
    match (narrowest(one), narrowest(other)) {
        (Some(Cond::In(column, values)), Some(Cond::In(second, others))) => {
            column == second
                && !column.starts_with("locations.")
                && !values.iter().any(|value| others.contains(value))
        }
        _ => false,
    }
}

impl Group {
    /// A further value. "Munich Germany" is read as one place; two without a word are both meant only of names.
    fn lists(&mut self, class: Class, part: Part, join: Join) {
        let are_names = |before: &Cond| are_both_names(before, &part.cond);
        let is_both = join != Join::Or
            && !self.negated
            && self.conds.last().is_some_and(|last| are_names(&last.cond));
        if is_both || join == Join::Nothing && class != Class::Company {
            let before = Part::any(std::mem::take(&mut self.conds));
            self.conds = vec![Part::all(vec![before, part])];
        } else {
            self.conds.push(part);
        }
    }

    /// A further bound or field: either with "or", else both.
    fn counts(&mut self, next: Following) -> Option<Following> {
        if next.join == Join::Or {
            if self.is_all && self.conds.len() > 1 {
                let before = Part::all(std::mem::take(&mut self.conds));
                self.conds = vec![before];
            }
            self.is_all = false;
            self.conds.push(next.part);
            return None;
        }
        if self.is_all || self.conds.len() == 1 {
            self.is_all = true;
            self.conds.push(next.part);
            return None;
        }
        Some(next)
    }
}
