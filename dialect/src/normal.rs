//! The normal form: one filter for all ways to say the same.
//!
//! Only what holds in three-valued logic, inside and outside of lists: nested ANDs and ORs are one, parts are sorted and
//! each there once, `=` and `IN` on one target are one list in an OR (`<>` and `NOT IN` in an AND), ranges on one target
//! are one range in an AND, conditions on some element of a list are one in an OR (on no element in an AND).

use std::collections::BTreeMap;

use events_schema::record::RecordKind;

use crate::column::{Catalog, ListId, ValueType};
use crate::filter::{Condition, Filter, Target, Test, Value};
use crate::values::Values;

/// The end of a range and whether it belongs to it.
type Bound = (Value, bool);

impl Filter {
    /// The normal form; of a filter in normal form the same.
    #[must_use]
    pub fn normal(self, kind: RecordKind) -> Self {
        normal(self, Catalog::of(kind))
    }

    /// True where this is false, false where this is true, unknown where this is unknown.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::And(parts) => Self::any(parts.into_iter().map(Self::negated).collect()),
            Self::Or(parts) => Self::all(parts.into_iter().map(Self::negated).collect()),
            Self::Test(Condition { target, test }) => {
                let tests = test.negated().into_iter();
                Self::any(
                    tests
                        .map(|test| {
                            Self::Test(Condition {
                                target: target.clone(),
                                test,
                            })
                        })
                        .collect(),
                )
            }
            Self::Element {
                list,
                filter,
                negated,
            } => Self::Element {
                list,
                filter,
                negated: !negated,
            },
            Self::Empty { list, negated } => Self::Empty {
                list,
                negated: !negated,
            },
        }
    }

    /// All of them; one by itself.
    pub(crate) fn all(mut parts: Vec<Self>) -> Self {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                Self::And(parts)
            }
            None => Self::And(parts),
        }
    }

    /// Any of them; one by itself.
    pub(crate) fn any(mut parts: Vec<Self>) -> Self {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                Self::Or(parts)
            }
            None => Self::Or(parts),
        }
    }
}

impl Test {
    /// The tests of which one holds exactly where this one fails on a known value.
    pub(crate) fn negated(self) -> Vec<Self> {
        match self {
            Self::In { values, negated } => vec![Self::In {
                values,
                negated: !negated,
            }],
            Self::Like { pattern, negated } => vec![Self::Like {
                pattern,
                negated: !negated,
            }],
            Self::Null { negated } => vec![Self::Null { negated: !negated }],
            Self::Range { low, high } => {
                let below = low.map(|(value, inclusive)| Self::Range {
                    low: None,
                    high: Some((value, !inclusive)),
                });
                let above = high.map(|(value, inclusive)| Self::Range {
                    low: Some((value, !inclusive)),
                    high: None,
                });
                below.into_iter().chain(above).collect()
            }
        }
    }

    fn normal(self) -> Self {
        match self {
            Self::In { values, negated } => {
                let values = values.sorted();
                // Of two values, not to be the one is to be the other.
                match (&*values, negated) {
                    ([Value::Boolean(other)], true) => Self::In {
                        values: vec![Value::Boolean(!other)].into(),
                        negated: false,
                    },
                    _ => Self::In { values, negated },
                }
            }
            other => other,
        }
    }
}

fn normal(filter: Filter, catalog: &Catalog) -> Filter {
    match filter {
        Filter::And(parts) => and(parts, catalog),
        Filter::Or(parts) => or(parts, catalog),
        Filter::Test(Condition { target, test }) => Filter::Test(Condition {
            target,
            test: test.normal(),
        }),
        Filter::Element {
            list,
            filter,
            negated,
        } => Filter::Element {
            list,
            filter: Box::new(normal(*filter, catalog)),
            negated,
        },
        Filter::Empty { .. } => filter,
    }
}

fn and(parts: Vec<Filter>, catalog: &Catalog) -> Filter {
    let mut rest = Vec::with_capacity(parts.len());
    let mut none_of: BTreeMap<Target, Vec<Values>> = BTreeMap::new();
    let mut ranges: BTreeMap<Target, Bounds> = BTreeMap::new();
    let mut elements: BTreeMap<ListId, Vec<Filter>> = BTreeMap::new();
    let parts = parts.into_iter().map(|part| normal(part, catalog));
    for part in parts.flat_map(|part| match part {
        Filter::And(parts) => parts,
        part => vec![part],
    }) {
        match part {
            Filter::Test(Condition {
                target,
                test:
                    Test::In {
                        values,
                        negated: true,
                    },
            }) => {
                none_of.entry(target).or_default().push(values);
            }
            Filter::Test(Condition {
                target,
                test: Test::Range { low, high },
            }) => {
                let bounds = ranges.entry(target).or_default();
                bounds.lows.extend(low);
                bounds.highs.extend(high);
            }
            Filter::Element {
                list,
                filter,
                negated: true,
            } => {
                elements.entry(list).or_default().push(*filter);
            }
            part => rest.push(part),
        }
    }
    rest.extend(lists(none_of, true));
    for (target, bounds) in ranges {
        let is_date = catalog.column(target.column).value == ValueType::Date;
        rest.extend(bounds.tightest(is_date).into_iter().map(|test| {
            Filter::Test(Condition {
                target: target.clone(),
                test,
            })
        }));
    }
    rest.extend(merged(elements, true, catalog));
    sorted(rest, Filter::all)
}

fn or(parts: Vec<Filter>, catalog: &Catalog) -> Filter {
    let mut rest = Vec::with_capacity(parts.len());
    let mut one_of: BTreeMap<Target, Vec<Values>> = BTreeMap::new();
    let mut elements: BTreeMap<ListId, Vec<Filter>> = BTreeMap::new();
    let parts = parts.into_iter().map(|part| normal(part, catalog));
    for part in parts.flat_map(|part| match part {
        Filter::Or(parts) => parts,
        part => vec![part],
    }) {
        match part {
            Filter::Test(Condition {
                target,
                test:
                    Test::In {
                        values,
                        negated: false,
                    },
            }) => {
                one_of.entry(target).or_default().push(values);
            }
            Filter::Element {
                list,
                filter,
                negated: false,
            } => {
                elements.entry(list).or_default().push(*filter);
            }
            part => rest.push(part),
        }
    }
    rest.extend(lists(one_of, false));
    rest.extend(merged(elements, false, catalog));
    sorted(rest, Filter::any)
}

/// One comparison a target with all its values.
fn lists(lists: BTreeMap<Target, Vec<Values>>, negated: bool) -> impl Iterator<Item = Filter> {
    lists.into_iter().map(move |(target, lists)| {
        let values = Values::joined(lists);
        let test = Test::In { values, negated }.normal();
        Filter::Test(Condition { target, test })
    })
}

/// "Some element is a, or some is b" is "some element is a or b"; "none is a, and none is b" is "none is a or b".
fn merged<'c>(
    elements: BTreeMap<ListId, Vec<Filter>>,
    negated: bool,
    catalog: &'c Catalog,
) -> impl Iterator<Item = Filter> + 'c {
    elements
        .into_iter()
        .map(move |(list, mut filters)| Filter::Element {
            list,
            filter: Box::new(match filters.pop() {
                Some(only) if filters.is_empty() => only,
                last => {
                    filters.extend(last);
                    or(filters, catalog)
                }
            }),
            negated,
        })
}

fn sorted(mut parts: Vec<Filter>, join: fn(Vec<Filter>) -> Filter) -> Filter {
    parts.sort_unstable();
    parts.dedup();
    join(parts)
}

/// All ends of ranges on one target.
#[derive(Default)]
struct Bounds {
    lows: Vec<Bound>,
    highs: Vec<Bound>,
}

impl Bounds {
    /// One range. On a date column an end of `2026` and one of `2026-06` look at different parts of the stored text and
    /// are kept apart.
    fn tightest(self, is_date: bool) -> Vec<Test> {
        let class = |(value, _): &Bound| match value {
            Value::Text(text) if is_date => text.len(),
            _ => 0,
        };
        let mut lows: BTreeMap<usize, Bound> = BTreeMap::new();
        for bound in self.lows {
            let held = lows.entry(class(&bound)).or_insert_with(|| bound.clone());
            // An end that does not belong to the range is the tighter one.
            if (&bound.0, !bound.1) > (&held.0, !held.1) {
                *held = bound;
            }
        }
        let mut highs: BTreeMap<usize, Bound> = BTreeMap::new();
        for bound in self.highs {
            let held = highs.entry(class(&bound)).or_insert_with(|| bound.clone());
            if (&bound.0, bound.1) < (&held.0, held.1) {
                *held = bound;
            }
        }
        if lows.len() <= 1 && highs.len() <= 1 {
            let (low, high) = (lows.into_values().next(), highs.into_values().next());
            return vec![Test::Range { low, high }];
        }
        let lows = lows.into_values().map(|low| Test::Range {
            low: Some(low),
            high: None,
        });
        let highs = highs.into_values().map(|high| Test::Range {
            low: None,
            high: Some(high),
        });
        lows.chain(highs).collect()
    }
}
