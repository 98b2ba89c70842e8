//! A plan: what must be true of a row, put together so that one list is gone through once, and what is cheap and rules out
//! much comes first. Its sets of codes are those of the draft: none is made here, outside of the limit on them.

use std::collections::BTreeMap;
use std::sync::Arc;

use dialect::{ColumnId, ListId};

use super::code_set::CodeSet;
use super::cost;
use super::dictionary::known;
use super::kernel::Lookup;
use super::slice::Slice;
use super::source::Source;
use super::weight::Weight;
use crate::view::Codes;

/// What is true of a row or of an element; a tree in which NOT stands only in [`Node::Some`] and [`Node::Filled`].
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Of none or of all.
    Constant(bool),
    /// The code is in a set.
    Codes(Leaf),
    /// The hash is not kept because it is that of the address (or is not such a one).
    Derived { column: ColumnId, negated: bool },
    /// All are true.
    All(Vec<Self>),
    /// At least one is true.
    Any(Vec<Self>),
    /// Some element of the row makes it true (or none does).
    Some {
        list: ListId,
        node: Box<Self>,
        negated: bool,
    },
    /// The row has an element (or none).
    Filled { list: ListId, negated: bool },
}

/// A set of codes of one column.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) column: ColumnId,
    pub(super) lookup: Lookup,
    /// Which part of the column's places has such a code, about.
    pub(super) part: f64,
    /// How many places that are, where it is known.
    pub(super) weight: Option<u64>,
}

/// The node of a set of codes, once it is known how many places have them; none where the slice is over before.
pub(super) fn codes_node(
    source: &impl Source,
    column: ColumnId,
    codes: &Arc<CodeSet>,
    weight: &mut Weight,
    slice: &Slice,
) -> Option<Node> {
    let view = source.column(column);
    if codes.is_none() || codes.is_every() {
        return Some(Node::Constant(codes.is_every()));
    }
    let places = match view.codes {
        Codes::Absent => return Some(Node::Constant(codes.has(0))),
        Codes::U8(codes) => codes.len(),
        Codes::U16(codes) => codes.len(),
        Codes::U32(codes) => codes.len(),
    } as u64;
    let (weight, is_known) = match view.counts {
        Some(counts) => (weight.advance(codes, counts, places, slice)?, true),
        None => {
            let about = codes.len() * places / u64::from(known(&view.dictionary).max(1));
            (about, false)
        }
    };
    let part = (weight as f64 / places.max(1) as f64).min(1.0);
    Some(Node::Codes(Leaf {
        column,
        lookup: Lookup::of(Arc::clone(codes)),
        part,
        weight: is_known.then_some(weight),
    }))
}

/// The node of a list condition.
pub(super) fn some(list: ListId, node: Node, negated: bool) -> Node {
    match node {
        Node::Constant(false) => Node::Constant(negated),
        Node::Constant(true) => Node::Filled { list, negated },
        node => Node::Some {
            list,
            node: Box::new(node),
            negated,
        },
    }
}

/// All of `nodes`: one pass over a list for all "none of its elements".
pub(super) fn all(source: &impl Source, nodes: Vec<Node>) -> Node {
    let mut parts = Parts::default();
    for node in nodes {
        match node {
            Node::Constant(true) => {}
            Node::Constant(false) => return Node::Constant(false),
            Node::All(nodes) => nodes.into_iter().for_each(|node| parts.add(node, true)),
            node => parts.add(node, true),
        }
    }
    parts.finish(source, true)
}

/// Any of `nodes`: one pass over a list for all "some of its elements".
pub(super) fn any(source: &impl Source, nodes: Vec<Node>) -> Node {
    let mut parts = Parts::default();
    for node in nodes {
        match node {
            Node::Constant(false) => {}
            Node::Constant(true) => return Node::Constant(true),
            Node::Any(nodes) => nodes.into_iter().for_each(|node| parts.add(node, false)),
            node => parts.add(node, false),
        }
    }
    parts.finish(source, false)
}

#[derive(Default)]
struct Parts {
    lists: BTreeMap<ListId, Vec<Node>>,
    others: Vec<Node>,
}

impl Parts {
    /// Takes a node in; lists are put together where they are all "some" or all "none", as `none` says.
    fn add(&mut self, node: Node, none: bool) {
        match node {
            Node::Some {
                list,
                node,
                negated,
            } if negated == none => {
                self.lists.entry(list).or_default().push(*node);
            }
            node => self.others.push(node),
        }
    }

    fn finish(self, source: &impl Source, conjunction: bool) -> Node {
        let lists = self
            .lists
            .into_iter()
            .map(|(list, nodes)| some(list, any(source, nodes), conjunction));
        let mut nodes: Vec<Node> = Vec::new();
        for node in lists.chain(self.others) {
            match node {
                Node::Constant(holds) if holds == conjunction => {}
                Node::Constant(_) => return Node::Constant(!conjunction),
                node => nodes.push(node),
            }
        }
        if nodes.len() == 1 {
            return nodes.pop().unwrap_or(Node::Constant(conjunction));
        }
        if nodes.is_empty() {
            return Node::Constant(conjunction);
        }
        // What costs least for each row that it decides comes first.
        let mut weighed: Vec<(f64, Node)> = nodes
            .into_iter()
            .map(|node| {
                let (cost, part) = node.estimate(source);
                let decides = if conjunction { 1.0 - part } else { part };
                (cost / (decides + 0.001), node)
            })
            .collect();
        weighed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let nodes = weighed.into_iter().map(|(_, node)| node).collect();
        if conjunction {
            Node::All(nodes)
        } else {
            Node::Any(nodes)
        }
    }
}

impl Node {
    /// Nanoseconds a row (or, of an element's condition, an element), and the part of them that it is true for; about.
    pub(super) fn estimate(&self, source: &impl Source) -> (f64, f64) {
        match self {
            Self::Constant(holds) => (0.0, f64::from(u8::from(*holds))),
            Self::Codes(leaf) => (
                leaf.lookup.cost(width(&source.column(leaf.column).codes)),
                leaf.part,
            ),
            Self::Derived { .. } => (cost::COPY_A_BIT, 0.5),
            Self::All(nodes) => nodes
                .iter()
                .map(|node| node.estimate(source))
                .fold((0.0, 1.0), |all, one| (all.0 + one.0, all.1 * one.1)),
            Self::Any(nodes) => {
                let (cost, none) = nodes
                    .iter()
                    .map(|node| node.estimate(source))
                    .fold((0.0, 1.0), |all, one| {
                        (all.0 + one.0, all.1 * (1.0 - one.1))
                    });
                (cost, 1.0 - none)
            }
            Self::Some {
                list,
                node,
                negated,
            } => {
                let (each, part) = node.estimate(source);
                let elements = elements_a_row(source, *list);
                let some = 1.0 - (1.0 - part).powf(elements);
                (
                    (each + cost::FOLD_AN_ELEMENT) * elements + cost::FOLD_A_ROW,
                    if *negated { 1.0 - some } else { some },
                )
            }
            Self::Filled { .. } => (cost::FILLED_A_ROW, 0.5),
        }
    }
}

/// How many elements a row has, on average.
pub(super) fn elements_a_row(source: &impl Source, list: ListId) -> f64 {
    let elements = source.list(list).starts.last().copied().unwrap_or(0);
    elements as f64 / f64::from(source.rows().max(1))
}

const fn width(codes: &Codes<'_>) -> usize {
    match codes {
        Codes::Absent => 0,
        Codes::U8(_) => 1,
        Codes::U16(_) => 2,
        Codes::U32(_) => 4,
    }
}
