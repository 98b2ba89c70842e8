//! Which conditions on a list are about the same element.
//!
//! Within one AND, brackets around further ANDs included, all conditions with the same list prefix must hold for the same
//! element; so must brackets of ORs that hold nothing but conditions on that list. A NOT, an OR that says something else,
//! too, and a shortcut are their own.

use std::collections::BTreeMap;

use crate::column::ListId;
use crate::condition::Tree;
use crate::filter::Filter;

/// The filter that a tree means; not yet in normal form.
pub(crate) fn filter(tree: Tree) -> Filter {
    if let Some(list) = only_list(&tree) {
        return some(list, inner(tree));
    }
    match tree {
        Tree::And(parts) => {
            let mut elements: BTreeMap<ListId, Vec<Filter>> = BTreeMap::new();
            let mut all = Vec::new();
            for part in flattened(parts) {
                match only_list(&part) {
                    Some(list) => elements.entry(list).or_default().push(inner(part)),
                    None => all.push(filter(part)),
                }
            }
            let elements = elements.into_iter();
            all.extend(elements.map(|(list, filters)| some(list, Filter::all(filters))));
            Filter::all(all)
        }
        Tree::Or(parts) => Filter::any(parts.into_iter().map(filter).collect()),
        Tree::Not(part) => filter(*part).negated(),
        Tree::On(list, filter) => some(list, filter),
        Tree::Whole(filter) => filter,
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
