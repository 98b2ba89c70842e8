//! Which conditions on a list are about the same element.
//!
//! Within one AND, brackets included, all conditions with the same list prefix must hold for the same element: an AND with
//! an OR in it means what it means with the OR multiplied out (`a AND (b OR c)` is `a AND b OR a AND c`), which is written
//! so where the OR also says something of the record or of another list. A NOT and a shortcut are their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::column::ListId;
use crate::condition::Tree;
use crate::filter::{Condition, Filter, Test, Value};

/// Comparisons that multiplying out may make of one query.
pub(crate) const MAX_MULTIPLIED: usize = 4_096;
/// So many values of an `IN` count as one comparison more.
const VALUES_AS_ONE: usize = 16;
/// So many bytes of text count as one comparison more.
const BYTES_AS_ONE: usize = 256;

/// Multiplying out would make more than [`MAX_MULTIPLIED`] comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

/// The filter that a tree means; not yet in normal form.
pub(crate) fn filter(tree: Tree) -> Result<Filter, TooMany> {
    filter_within(tree, &mut 0)
}

/// `made` counts the comparisons that were made by multiplying out.
fn filter_within(tree: Tree, made: &mut usize) -> Result<Filter, TooMany> {
    if let Some(list) = only_list(&tree) {
        return Ok(some(list, inner(tree)));
    }
    Ok(match tree {
        Tree::And(parts) => conjunction(flattened(parts), made)?,
        Tree::Or(parts) => {
            let parts = parts.into_iter().map(|part| filter_within(part, made));
            Filter::any(parts.collect::<Result<_, _>>()?)
        }
        Tree::Not(part) => filter_within(*part, made)?.negated(),
        Tree::On(list, filter) => some(list, filter),
        Tree::Whole(filter) => filter,
    })
}

/// The meaning of an AND.
fn conjunction(mut parts: Vec<Tree>, made: &mut usize) -> Result<Filter, TooMany> {
    if let Some(at) = shared(&parts)
        && let Tree::Or(branches) = parts.swap_remove(at)
    {
        let mut any = Vec::with_capacity(branches.len());
        for branch in branches {
            let mut all = parts.clone();
            all.extend(flattened(vec![branch]));
            *made += all.iter().map(comparisons).sum::<usize>();
            if *made > MAX_MULTIPLIED {
                return Err(TooMany);
            }
            any.push(conjunction(all, made)?);
        }
        return Ok(Filter::any(any));
    }
    let mut elements: BTreeMap<ListId, Vec<Filter>> = BTreeMap::new();
    let mut all = Vec::new();
    for part in parts {
        match only_list(&part) {
            Some(list) => elements.entry(list).or_default().push(inner(part)),
            None => all.push(filter_within(part, made)?),
        }
    }
    let elements = elements.into_iter();
    all.extend(elements.map(|(list, filters)| some(list, Filter::all(filters))));
    Ok(Filter::all(all))
}

/// The place of an OR that has a condition on a list on which another part has one, too, and that says something else as
/// well.
fn shared(parts: &[Tree]) -> Option<usize> {
    let mut seen: BTreeMap<ListId, usize> = BTreeMap::new();
    let lists: Vec<BTreeSet<ListId>> = parts.iter().map(lists).collect();
    for list in lists.iter().flatten() {
        *seen.entry(*list).or_default() += 1;
    }
    parts.iter().zip(&lists).position(|(part, lists)| {
        matches!(part, Tree::Or(_))
            && only_list(part).is_none()
            && lists
                .iter()
                .any(|list| seen.get(list).is_some_and(|parts| *parts > 1))
    })
}

/// The lists that plain conditions of a part are about.
fn lists(tree: &Tree) -> BTreeSet<ListId> {
    match tree {
        Tree::On(list, _) => BTreeSet::from([*list]),
        Tree::And(parts) | Tree::Or(parts) => parts.iter().flat_map(lists).collect(),
        Tree::Not(_) | Tree::Whole(_) => BTreeSet::new(),
    }
}

fn comparisons(tree: &Tree) -> usize {
    match tree {
        Tree::And(parts) | Tree::Or(parts) => parts.iter().map(comparisons).sum(),
        Tree::Not(part) => comparisons(part),
        Tree::On(_, filter) | Tree::Whole(filter) => {
            let mut size = Size::default();
            size.add(filter);
            1 + size.values / VALUES_AS_ONE + size.bytes / BYTES_AS_ONE
        }
    }
}

/// What a copy of a filter holds.
#[derive(Default)]
struct Size {
    values: usize,
    bytes: usize,
}

impl Size {
    fn add(&mut self, filter: &Filter) {
        match filter {
            Filter::And(parts) | Filter::Or(parts) => parts.iter().for_each(|part| self.add(part)),
            Filter::Element { filter, .. } => self.add(filter),
            Filter::Test(Condition { target, test }) => {
                self.bytes += target.key.as_ref().map_or(0, String::len);
                match test {
                    Test::In { values, .. } => {
                        values.iter().for_each(|value| self.add_value(value))
                    }
                    Test::Range { low, high } => {
                        let bounds = low.iter().chain(high);
                        bounds.for_each(|(value, _)| self.add_value(value));
                    }
                    Test::Like { pattern, .. } => self.bytes += pattern.len(),
                    Test::Null { .. } => {}
                }
            }
            Filter::Empty { .. } => {}
        }
    }

    fn add_value(&mut self, value: &Value) {
        self.values += 1;
        if let Value::Text(text) = value {
            self.bytes += text.len();
        }
    }
}

fn some(list: ListId, filter: Filter) -> Filter {
    Filter::Element {
        list,
        filter: Box::new(filter),
        negated: false,
    }
}

/// The parts of an AND, with those of the ANDs in it.
fn flattened(parts: Vec<Tree>) -> Vec<Tree> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Tree::And(parts) => flat.extend(flattened(parts)),
            other => flat.push(other),
        }
    }
    flat
}

/// The list, if there are only plain conditions on one.
fn only_list(tree: &Tree) -> Option<ListId> {
    match tree {
        Tree::On(list, _) => Some(*list),
        Tree::And(parts) | Tree::Or(parts) => {
            let mut lists = parts.iter().map(only_list);
            let first = lists.next()??;
            lists.all(|list| list == Some(first)).then_some(first)
        }
        Tree::Not(_) | Tree::Whole(_) => None,
    }
}

/// Plain conditions as a condition on an element.
fn inner(tree: Tree) -> Filter {
    match tree {
        Tree::And(parts) => Filter::all(parts.into_iter().map(inner).collect()),
        Tree::Or(parts) => Filter::any(parts.into_iter().map(inner).collect()),
        Tree::On(_, filter) | Tree::Whole(filter) => filter,
        Tree::Not(part) => inner(*part).negated(),
    }
}
