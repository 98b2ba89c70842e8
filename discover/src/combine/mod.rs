//! From items to one condition: what neighbours say together, what a NOT reaches, and where a second phrase begins.

mod following;

use crate::cond::Cond;
use crate::meaning::is_adjective;
use crate::read::{Class, Is, Item};
use crate::told::Part;

/// Conditions of one class that stand side by side.
#[derive(Debug, Clone)]
struct Group {
    class: Class,
    /// Alternatives; of numbers, what all must hold.
    conds: Vec<Part>,
    /// Joined by AND.
    is_all: bool,
    negated: bool,
    /// Each of its values has a NOT of its own: "not in sales, not in marketing".
    repeats: bool,
    /// In front of it stood the end of a clause: it says something of every phrase before.
    after_break: bool,
    /// Of an exception: what else must hold for it ("except directors at banks"), by kind.
    with: Vec<(Class, Vec<Part>)>,
    /// Whether it is an exception.
    is_except: bool,
    /// Whether it is what somebody does not want: all that is said of it is left out together.
    is_unwanted: bool,
    /// Of another class, by OR: alternatives to the whole.
    others: Vec<Self>,
}

/// What stands between two conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Join {
    Nothing,
    Comma,
    And,
    But,
    Or,
    Break,
}

/// What all items say together.
#[derive(Debug, Default)]
pub(crate) struct Combined {
    /// The condition, and of which items each part of it is; none if no item is a condition.
    pub(crate) part: Option<Part>,
    /// Items that turn round nothing: no condition and no word that is reported stands behind them.
    pub(crate) idle: Vec<usize>,
    /// Items that turn round what is reported behind them.
    pub(crate) turning: Vec<usize>,
}

/// The condition that all items say together, and what each of them says in it.
pub(crate) fn combine(items: &[Item]) -> Combined {
    combined(items, 0, items.len())
}

/// Of the items from one place up to another.
fn combined(items: &[Item], from: usize, to: usize) -> Combined {
    let mut builder = Builder::of(items);
    let mut at = from;
    while at < to
        && let Some(item) = items.get(at)
    {
        builder.at = at;
        match bracket(items, at, to) {
            None => builder.item(&item.what),
            // Said of all that stands before, as behind a comma.
            Some(closes) if builder.goes_through(at + 1, closes) => builder.join(Join::Comma),
            Some(closes) => {
                builder.bracket(at + 1, closes);
                at = closes;
            }
        }
        at += 1;
    }
    builder.finish()
}

/// The item that closes the bracket which item `at` opens, if it stands before `to`.
fn bracket(items: &[Item], at: usize, to: usize) -> Option<usize> {
    if items.get(at)?.what != Is::Open {
        return None;
    }
    let mut depth = 1;
    let closes = items.get(at + 1..to)?.iter().position(|item| {
        match item.what {
            Is::Open => depth += 1,
            Is::Close => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some(at + 1 + closes)
}

fn classes(items: &[Item]) -> impl Iterator<Item = Class> {
    items.iter().filter_map(|item| match item.what {
        Is::Condition(class, _) => Some(class),
        _ => None,
    })
}

/// Whether a word turns round what stands behind it, or begins something else.
const fn turns(item: &Item) -> bool {
    item.what.turns() || matches!(item.what, Is::But | Is::Another)
}

/// Whether the first word of a bracket is an OR.
fn says_or(inside: &[Item]) -> bool {
    let says = |item: &&Item| !matches!(item.what, Is::Open | Is::Close | Is::Noise | Is::Small);
    let first = inside.iter().find(says);
    first.is_some_and(|item| item.what == Is::Or)
}

/// "Public tech companies or private banks in Singapore": the place behind phrases of the same kinds is said of all of them.
fn place_of_all<'a>(before: &[Vec<&'a Group>], last: &[&'a Group]) -> Option<&'a Group> {
    let (place, rest) = last.split_last()?;
    let are_alike = |phrase: &Vec<&Group>| {
        phrase.len() == rest.len()
            && phrase
                .iter()
                .zip(rest)
                .all(|(one, other)| one.class == other.class)
    };
    let is_open = place.class == Class::Place && !place.negated && rest.len() > 1;
    (is_open && before.iter().all(are_alike)).then_some(*place)
}

fn first_class(items: &[Item]) -> Option<Class> {
    classes(items).next()
}

#[derive(Debug, Default)]
struct Builder<'a> {
    items: &'a [Item],
    /// The item that is read.
    at: usize,
    /// The first item that turns round what follows it, where none has followed yet.
    turned_from: Option<usize>,
    /// Those behind which nothing follows.
    idle: Vec<usize>,
    /// Those that turn round what is not understood.
    turning: Vec<usize>,
    groups: Vec<Group>,
    /// Places in `groups` at which a further phrase begins.
    phrases: Vec<usize>,
    /// Where the first phrase begins: what stands in front is said of all of them.
    first_phrase: usize,
    /// What stands in front of the noun of the first phrase is said of it alone.
    is_first_whole: bool,
    /// What stands in brackets and narrows all.
    aside: Vec<Part>,
    join: Option<Join>,
    negated: bool,
    /// Negated was what stood in the gap, and a word that goes on with it followed: "not at Foobarly or Amazon".
    gap_was_negated: bool,
    /// Behind what turns round what follows it stood a small word that says which ones are meant.
    has_turned_small: bool,
    /// A small word stood behind the last joining one.
    has_noise: bool,
    /// "Either" stood in front: the OR behind it is between what follows, not between phrases.
    is_either: bool,
    /// Something in between was not understood.
    has_gap: bool,
    /// Nothing was read since it that joins.
    is_behind_gap: bool,
    /// Whether small words stand behind that.
    has_noise_behind_gap: bool,
    /// What follows is an alternative of its own, no more of what is left out.
    is_anew: bool,
    /// The negation is an exception, which has conditions of its own.
    is_except: bool,
    /// The negation is of what somebody does not want.
    is_unwanted: bool,
}

/// Classes whose values exclude each other or are a list: "and" between two of them means either.
pub(crate) const fn is_list(class: Class) -> bool {
    matches!(
        class,
        Class::Role
            | Class::Company
            | Class::Industry
            | Class::Size
            | Class::Type
            | Class::Place
            | Class::Name
    )
}

/// Classes that name what is sought, so that a second one begins a second phrase.
const fn is_head(class: Class) -> bool {
    matches!(
        class,
        Class::Role
            | Class::Industry
            | Class::Size
            | Class::Type
            | Class::Flag
            | Class::Place
            | Class::Company
            | Class::Name
    )
}

fn is_level(cond: &Cond) -> bool {
    matches!(cond, Cond::In("seniority_level", _))
}

/// Whether one is of a first name and the other of a last name: a person has both.
fn are_both_names(one: &Cond, other: &Cond) -> bool {
    let column = |cond: &Cond| match cond {
        Cond::In(column, _) | Cond::Contains(column, ..) => Some(*column),
        _ => None,
    };
    let is_one = |column| matches!(column, Some("first_name" | "last_name"));
    let columns = (column(one), column(other));
    is_one(columns.0) && is_one(columns.1) && columns.0 != columns.1
}

impl<'a> Builder<'a> {
    fn of(items: &'a [Item]) -> Self {
        Self {
            items,
            ..Self::default()
        }
    }

    fn range(&self, from: usize, to: usize) -> &'a [Item] {
        self.items.get(from..to).unwrap_or_default()
    }

    fn join(&mut self, join: Join) {
        self.turns_a_word(join);
        // "In HR or wizardry but …": what stood in front of the gap joined that.
        let before = match self.join {
            Some(join) if !self.is_behind_gap => join,
            _ => Join::Nothing,
        };
        self.is_behind_gap = false;
        self.has_noise = false;
        // ", or" is an or; ", but" a but; a sentence's end stays one.
        if join > before || before == Join::Nothing {
            self.join = Some(join);
        }
        if matches!(join, Join::But | Join::Break) {
            self.ends_turning();
        }
    }

    /// What turns round what follows it turned round a small word: that is not understood, but the list may go on. "No agencies, no
    /// startups" is no NOT of a NOT.
    fn turns_a_word(&mut self, join: Join) {
        if self.negated && self.has_turned_small {
            self.gap();
            self.gap_was_negated &= !matches!(join, Join::But | Join::Break);
        }
    }

    /// What turns round what follows it stands at an end: nothing follows.
    fn ends_turning(&mut self) {
        self.negated = false;
        self.is_except = false;
        self.is_unwanted = false;
        if let Some(from) = self.turned_from.take() {
            self.are_idle(from);
        }
    }

    /// From an item on up to the one that is read, whatever turns round what follows it does so with nothing.
    fn are_idle(&mut self, from: usize) {
        let idle = self.turning_since(from);
        self.idle.extend(idle);
    }

    /// From an item on up to the one that is read, what turns round what follows it.
    fn turning_since(&self, from: usize) -> impl Iterator<Item = usize> + use<'a> {
        let items = self.items;
        (from..=self.at).filter(move |at| {
            let item = items.get(*at);
            item.is_some_and(|item| item.what.turns())
        })
    }

    /// Two in a row are none: "nobody without an e-mail address".
    fn negate(&mut self) {
        if std::mem::take(&mut self.is_behind_gap) {
            self.join = None;
        }
        self.negated = !self.negated;
        self.has_turned_small = false;
        self.turned_from = self.turned_from.or(Some(self.at));
    }

    fn gap(&mut self) {
        // What was not understood separates its neighbours.
        self.has_gap = true;
        self.is_behind_gap = true;
        self.has_noise_behind_gap = false;
        self.is_unwanted = false;
        self.gap_was_negated |= std::mem::take(&mut self.negated);
        if let Some(from) = self.turned_from.take() {
            // "Except get not Java": both.
            let turning = self.turning_since(from);
            self.turning.extend(turning);
        }
    }

    /// Whether what stands in brackets says the same without them: one kind of which nothing was said yet ("directors in (Germany or
    /// France)"), a further value ("directors in Germany (or France)"), or a whole phrase beside another one ("directors in Germany or
    /// (VPs in France)").
    fn goes_through(&self, from: usize, closes: usize) -> bool {
        let inside = self.range(from, closes);
        let behind = self.range(closes + 1, self.items.len());
        let Some(class) = first_class(inside) else {
            return false;
        };
        if self.negated || inside.iter().any(turns) {
            return false;
        }
        let is_or = self.join == Some(Join::Or) || says_or(inside);
        if classes(inside).all(|other| other == class) {
            let is_said = |group: &Group| group.class == class && !group.negated;
            return is_or || !self.groups.iter().any(is_said);
        }
        let begins = |first: Option<Class>| is_head(class) && first == Some(class);
        let follows = is_or && self.groups.len() > 1;
        let is_followed =
            self.groups.is_empty() && behind.first().is_some_and(|item| item.what == Is::Or);
        follows && begins(self.groups.first().map(|group| group.class))
            || is_followed && begins(first_class(behind))
    }

    /// What an OR joins is an alternative of the kind that stands first in it: "(or in Paris with …)". All else in brackets narrows what
    /// stands around it, and goes on no list, nor ends one.
    fn bracket(&mut self, from: usize, closes: usize) {
        let items = self.range(from, closes);
        let is_join = |item: &&Item| {
            matches!(
                item.what,
                Is::Or | Is::And | Is::Comma | Is::Noise | Is::Small
            )
        };
        let leading = items.iter().take_while(is_join).count();
        let inside = items.get(leading..).unwrap_or_default();
        let negated = std::mem::take(&mut self.negated);
        let turned_from = self.turned_from.take();
        let combined = combined(self.items, from + leading, closes);
        self.idle.extend(combined.idle);
        self.turning.extend(combined.turning);
        let (Some(class), Some(mut part)) = (first_class(inside), combined.part) else {
            let is_reported = |item: &Item| matches!(item.what, Is::Unknown | Is::Unsupported(_));
            if inside.iter().any(is_reported) {
                let turning = turned_from.map(|from| self.turning_since(from));
                self.turning.extend(turning.into_iter().flatten());
            } else if let Some(from) = turned_from {
                self.are_idle(from);
            }
            return;
        };
        part.turned_from(turned_from);
        let is_or = self.join == Some(Join::Or) || says_or(items);
        self.join = None;
        match self.groups.last_mut() {
            Some(last) if is_or && (negated || inside.iter().any(turns)) => {
                last.others.push(Group::new(class, part, negated));
            }
            Some(_) if is_or => {
                self.join = Some(Join::Or);
                self.condition(class, part);
            }
            _ if negated => self.aside.push(part.not(self.items)),
            _ => self.aside.push(part),
        }
    }

    fn item(&mut self, what: &Is) {
        match what {
            Is::Comma => self.join(Join::Comma),
            Is::Noise | Is::Small => {
                self.has_noise = true;
                self.has_noise_behind_gap = self.is_behind_gap;
                self.has_turned_small |= *what == Is::Small;
            }
            Is::Open | Is::Close | Is::Yields => {}
            Is::Or => self.join(Join::Or),
            Is::And => self.join(Join::And),
            Is::But => self.join(Join::But),
            Is::Break => self.join(Join::Break),
            Is::Not => self.negate(),
            Is::Except => {
                self.negate();
                self.is_except = self.negated;
            }
            Is::Unwanted => {
                self.negate();
                self.is_unwanted = self.negated;
            }
            Is::Another => {
                self.join = Some(Join::Or);
                self.is_anew = true;
                self.ends_turning();
            }
            Is::Either => self.is_either = true,
            Is::Condition(class, cond) => {
                let mut part = Part::of(self.at, cond.clone());
                part.turned_from(self.turned_from.take());
                self.condition(*class, part);
            }
            Is::Unsupported(_) | Is::Unknown => self.gap(),
        }
    }

    fn finish(mut self) -> Combined {
        self.ends_turning();
        let mut all: Vec<Part> = Vec::new();
        if self.phrases.is_empty() {
            all.extend(self.groups.iter().map(|group| group.part(self.items)));
        } else {
            all.extend(self.by_phrase());
        }
        all.extend(self.aside);
        Combined {
            part: (!all.is_empty()).then(|| Part::all(all)),
            idle: self.idle,
            turning: self.turning,
        }
    }

    /// What every phrase must hold, and the phrases, of which one must.
    fn by_phrase(&self) -> Vec<Part> {
        let mut starts = self.phrases.clone();
        let mut common = Vec::new();
        // What stands in front of the first phrase is said of all: "Japan: CTOs at banks or CFOs at insurers".
        let first_class = starts
            .first()
            .and_then(|at| self.groups.get(*at))
            .map(|group| group.class);
        let first = self
            .groups
            .iter()
            .position(|group| Some(group.class) == first_class && !group.negated)
            .filter(|_| !self.is_first_whole)
            .unwrap_or(0);
        let first = if starts.first().is_some_and(|start| *start > first) {
            first
        } else {
            0
        };
        let first = first.max(self.first_phrase);
        let part = |group: &Group| group.part(self.items);
        common.extend(self.groups.iter().take(first).map(part));
        if starts.first() != Some(&first) {
            starts.insert(0, first);
        }
        let ends = starts.iter().skip(1).copied().chain([self.groups.len()]);
        let mut phrases: Vec<Vec<&Group>> = starts
            .iter()
            .zip(ends)
            .map(|(from, to)| {
                self.groups
                    .get(*from..to)
                    .unwrap_or_default()
                    .iter()
                    .collect()
            })
            .collect();
        // Behind the last phrase a clause of its own is said of all, unless the first phrase has such a one.
        if let Some((last, before)) = phrases.split_last_mut() {
            let classes: Vec<Class> = before.iter().flatten().map(|group| group.class).collect();
            let tail = last
                .iter()
                .enumerate()
                .skip(1)
                .position(|(_, group)| group.after_break && !classes.contains(&group.class));
            if let Some(tail) = tail {
                for group in last.split_off(tail + 1) {
                    common.push(part(group));
                }
            } else if let Some(place) = place_of_all(before, last) {
                last.pop();
                common.push(part(place));
            }
        }
        let any = phrases
            .into_iter()
            .map(|groups| Part::all(groups.into_iter().map(part).collect()))
            .collect();
        common.insert(0, Part::any(any));
        common
    }
}

impl Group {
    /// One condition by itself.
    fn new(class: Class, part: Part, negated: bool) -> Self {
        Self {
            class,
            conds: vec![part],
            is_all: false,
            negated,
            repeats: false,
            after_break: false,
            with: Vec::new(),
            is_except: false,
            is_unwanted: false,
            others: Vec::new(),
        }
    }

    /// Levels that are said of a role, and nothing else.
    fn is_adjective(&self) -> bool {
        let is_one = |part: &Part| match &part.cond {
            Cond::In("seniority_level", levels) => is_adjective(levels),
            _ => false,
        };
        self.conds.iter().all(is_one)
    }

    fn part(&self, items: &[Item]) -> Part {
        let own = if self.is_all {
            Part::all(self.conds.clone())
        } else {
            Part::any(self.conds.clone())
        };
        let with = self.with.iter().map(|(_, any)| Part::any(any.clone()));
        let own = Part::all(std::iter::once(own).chain(with).collect());
        let own = if self.negated { own.not(items) } else { own };
        if self.others.is_empty() {
            return own;
        }
        let others = self.others.iter().map(|other| other.part(items));
        Part::any(std::iter::once(own).chain(others).collect())
    }
}
