//! From a filter to the sets of codes that it needs, worked out in slices, and then to a plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use dialect::{ColumnId, Filter, ListId, Place, Target, Test, Value, ValueType};

use super::code_set::CodeSet;
use super::codes_for::CodesFor;
use super::plan::{Node, all, any, codes_node, some};
use super::slice::Slice;
use super::source::Source;
use crate::view::HashAlgorithm;

/// Sets of codes that are asked for, each once.
#[derive(Debug, Default)]
pub(super) struct Planner {
    jobs: Vec<Job>,
    known: BTreeMap<Key, usize>,
}

/// A comparison of a column; of an address by one of its hashes, or as it is.
type Key = (ColumnId, Option<u8>, Test);

#[derive(Debug)]
struct Job {
    column: ColumnId,
    /// The column of hashes whose fingerprints are used.
    hashes: Option<ColumnId>,
    work: CodesFor,
    done: Option<Arc<CodeSet>>,
}

/// A plan whose sets of codes are not known yet.
#[derive(Debug)]
pub(super) enum Draft {
    /// Set number `job`.
    Codes {
        column: ColumnId,
        job: usize,
    },
    Derived {
        column: ColumnId,
        negated: bool,
    },
    All(Vec<Self>),
    Any(Vec<Self>),
    Some {
        list: ListId,
        draft: Box<Self>,
        negated: bool,
    },
    Filled {
        list: ListId,
        negated: bool,
    },
}

impl Planner {
    /// Takes a filter in; the sets that it needs are then worked out by [`Planner::advance`].
    pub(super) fn draft(&mut self, source: &impl Source, filter: &Filter) -> Draft {
        self.part(source, filter, None)
    }

    /// A part of the filter; `inside` the elements of a list or, without, about rows.
    fn part(&mut self, source: &impl Source, filter: &Filter, inside: Option<ListId>) -> Draft {
        let mut parts = |filters: &[Filter]| {
            filters
                .iter()
                .map(|filter| self.part(source, filter, inside))
                .collect()
        };
        match filter {
            Filter::And(filters) => Draft::All(parts(filters)),
            Filter::Or(filters) => Draft::Any(parts(filters)),
            Filter::Test(condition) => {
                self.condition(source, &condition.target, &condition.test, inside)
            }
            Filter::Element {
                list,
                filter,
                negated,
            } => {
                let draft = Box::new(self.part(source, filter, Some(*list)));
                Draft::Some {
                    list: *list,
                    draft,
                    negated: *negated,
                }
            }
            Filter::Empty { list, negated } => Draft::Filled {
                list: *list,
                negated: !*negated,
            },
        }
    }

    fn condition(
        &mut self,
        source: &impl Source,
        target: &Target,
        test: &Test,
        inside: Option<ListId>,
    ) -> Draft {
        let column = target.column;
        let place = source.catalog().column(column).place;
        let (Some(key), Some(list), None) = (&target.key, place.list(), inside) else {
            return self.comparison(source, column, test);
        };
        // An entry of a map: of the row as a whole, and unknown where the map has no such entry.
        let keys = source.catalog().list(list).columns.iter().copied();
        let keys = keys
            .filter(|column| matches!(source.catalog().column(*column).place, Place::MapKey(_)));
        let is_key = Test::In {
            values: vec![Value::Text(key.clone())],
            negated: false,
        };
        let mut all: Vec<Draft> = keys
            .map(|keys| self.comparison(source, keys, &is_key))
            .collect();
        let is_null = matches!(test, Test::Null { negated: false });
        let known = Test::Null { negated: true };
        all.push(self.comparison(source, column, if is_null { &known } else { test }));
        Draft::Some {
            list,
            draft: Box::new(Draft::All(all)),
            negated: is_null,
        }
    }

    fn comparison(&mut self, source: &impl Source, column: ColumnId, test: &Test) -> Draft {
        let dates = source.catalog().column(column).value == ValueType::Date;
        let explicit = self.job((column, None, test.clone()), || Job {
            column,
            hashes: None,
            work: CodesFor::test(test.clone(), dates),
            done: None,
        });
        let explicit = Draft::Codes {
            column,
            job: explicit,
        };
        let Some(derived) = source.column(column).derived else {
            return explicit;
        };
        let is_derived = |negated| Draft::Derived { column, negated };
        match test {
            Test::Null { negated: false } => Draft::All(vec![explicit, is_derived(true)]),
            Test::Null { negated: true } => Draft::Any(vec![explicit, is_derived(false)]),
            _ => {
                let Some(addresses) = addresses_of(source, column) else {
                    return explicit;
                };
                let job = self.job(
                    (
                        addresses,
                        Some(algorithm_code(derived.algorithm)),
                        test.clone(),
                    ),
                    || Job {
                        column: addresses,
                        hashes: Some(column),
                        work: CodesFor::hashes(test, derived.algorithm),
                        done: None,
                    },
                );
                let of_address = Draft::Codes {
                    column: addresses,
                    job,
                };
                Draft::Any(vec![
                    explicit,
                    Draft::All(vec![of_address, is_derived(false)]),
                ])
            }
        }
    }

    fn job(&mut self, key: Key, job: impl FnOnce() -> Job) -> usize {
        let next = self.jobs.len();
        let at = *self.known.entry(key).or_insert(next);
        if at == next {
            self.jobs.push(job());
        }
        at
    }

    /// Works until every set is known or the slice is over; says whether they are.
    pub(super) fn advance(&mut self, source: &impl Source, slice: &Slice) -> bool {
        for job in self.jobs.iter_mut().filter(|job| job.done.is_none()) {
            let hashes = job.hashes.and_then(|hashes| source.column(hashes).derived);
            let fingerprints = hashes.map(|derived| (derived.algorithm, derived.fingerprints));
            match job
                .work
                .advance(&source.column(job.column), fingerprints, slice)
            {
                Some(codes) => job.done = Some(Arc::new(codes)),
                None => return false,
            }
            if slice.is_over() {
                break;
            }
        }
        self.jobs.iter().all(|job| job.done.is_some())
    }

    /// The plan, once every set is known.
    pub(super) fn finish(&self, source: &impl Source, draft: &Draft) -> Node {
        let each = |drafts: &[Draft]| {
            drafts
                .iter()
                .map(|draft| self.finish(source, draft))
                .collect()
        };
        match draft {
            Draft::Codes { column, job } => {
                match self.jobs.get(*job).and_then(|job| job.done.clone()) {
                    Some(codes) => codes_node(source, *column, codes),
                    None => Node::Constant(false),
                }
            }
            Draft::Derived { column, negated } => Node::Derived {
                column: *column,
                negated: *negated,
            },
            Draft::All(drafts) => all(source, each(drafts)),
            Draft::Any(drafts) => any(source, each(drafts)),
            Draft::Some {
                list,
                draft,
                negated,
            } => some(*list, self.finish(source, draft), *negated),
            Draft::Filled { list, negated } => Node::Filled {
                list: *list,
                negated: *negated,
            },
        }
    }
}

/// The column of addresses beside a column of hashes.
fn addresses_of(source: &impl Source, hashes: ColumnId) -> Option<ColumnId> {
    let catalog = source.catalog();
    let list = catalog.list(catalog.column(hashes).place.list()?);
    catalog.find(&format!("{}.address", list.path))
}

const fn algorithm_code(algorithm: HashAlgorithm) -> u8 {
    match algorithm {
        HashAlgorithm::Sha256 => 0,
        HashAlgorithm::Sha1 => 1,
        HashAlgorithm::Md5 => 2,
    }
}
