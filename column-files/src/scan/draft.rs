//! From a filter to the sets of codes that it needs, worked out in slices, and then to a plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use dialect::{ColumnId, Filter, ListId, Place, Target, Test, Value, ValueType};

use super::TooBroad;
use super::code_set::CodeSet;
use super::codes_for::CodesFor;
use super::plan::{Node, all, any, codes_node, some};
use super::slice::Slice;
use super::source::Source;
use super::weight::Weight;
use crate::view::HashAlgorithm;

/// Sets of codes that are asked for: one for all comparisons of a column that stand side by side, and once wherever the same ones do.
#[derive(Debug)]
pub(super) struct Planner {
    jobs: Vec<Job>,
    known: BTreeMap<Key, usize>,
    /// The job that is worked at; those before it are done.
    next: usize,
    /// What the sets of the done ones need, and may need at most.
    bytes: usize,
    most_bytes: usize,
}

/// Comparisons of a column; of an address by one of its hashes, or as it is.
type Key = (ColumnId, Option<u8>, Together, Vec<Test>);

/// How the sets of several comparisons become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Together {
    All,
    Any,
}

/// Work at a set of codes. Comparisons are done one after the other, so that never more than two sets are in memory for
/// a column, however many comparisons of it stand side by side.
#[derive(Debug)]
struct Job {
    column: ColumnId,
    /// The column of hashes whose fingerprints are used.
    hashes: Option<ColumnId>,
    together: Together,
    /// The last one is worked at.
    work: Vec<CodesFor>,
    /// Of the comparisons that are done.
    codes: Option<CodeSet>,
    /// Of all of them, and how many places have one of its codes, as far as that is known.
    whole: Option<(Arc<CodeSet>, Weight)>,
    /// What became of the whole.
    done: Option<Node>,
}

impl Job {
    /// Works until the set is known or the slice is over; says whether it is known.
    fn advance(&mut self, source: &impl Source, slice: &Slice) -> bool {
        let column = source.column(self.column);
        let hashes = self.hashes.and_then(|hashes| source.column(hashes).derived);
        let fingerprints = hashes.map(|derived| (derived.algorithm, derived.fingerprints));
        while let Some(work) = self.work.last_mut() {
            let Some(codes) = work.advance(&column, fingerprints, slice) else {
                return false;
            };
            self.work.pop();
            self.codes = Some(match (self.codes.take(), self.together) {
                (None, _) => codes,
                (Some(before), Together::All) => before.and(&codes),
                (Some(before), Together::Any) => before.or(&codes),
            });
            if slice.is_over() {
                return false;
            }
        }
        if let Some(codes) = self.codes.take() {
            self.whole = Some((Arc::new(codes), Weight::default()));
        }
        if let Some((codes, weight)) = &mut self.whole {
            let node = codes_node(source, self.column, codes, weight, slice);
            let Some(node) = node else {
                return false;
            };
            self.done = Some(node);
            self.whole = None;
        }
        self.done.is_some()
    }

    /// What its result needs in memory.
    fn bytes(&self) -> usize {
        match &self.done {
            Some(Node::Codes(leaf)) => leaf.lookup.bytes(),
            _ => 0,
        }
    }
}

/// A plan whose sets of codes are not known yet.
#[derive(Debug)]
pub(super) enum Draft {
    /// Set number `job`.
    Codes {
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
    /// One whose sets may need so many bytes.
    pub(super) const fn new(most_bytes: usize) -> Self {
        Self {
            jobs: Vec::new(),
            known: BTreeMap::new(),
            next: 0,
            bytes: 0,
            most_bytes,
        }
    }

    /// Takes a filter in; the sets that it needs are then worked out by [`Planner::advance`].
    pub(super) fn draft(&mut self, source: &impl Source, filter: &Filter) -> Draft {
        self.part(source, filter, None)
    }

    /// A part of the filter; `inside` the elements of a list or, without, about rows.
    fn part(&mut self, source: &impl Source, filter: &Filter, inside: Option<ListId>) -> Draft {
        match filter {
            Filter::And(filters) => Draft::All(self.parts(source, filters, inside, Together::All)),
            Filter::Or(filters) => Draft::Any(self.parts(source, filters, inside, Together::Any)),
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

    /// What stands side by side, with the comparisons of one column as one set.
    fn parts(
        &mut self,
        source: &impl Source,
        filters: &[Filter],
        inside: Option<ListId>,
        together: Together,
    ) -> Vec<Draft> {
        let mut of_column: BTreeMap<ColumnId, Vec<Test>> = BTreeMap::new();
        let mut drafts = Vec::new();
        for filter in filters {
            match filter {
                Filter::Test(condition) if is_plain(source, &condition.target, inside) => {
                    let column = condition.target.column;
                    let tests = of_column.entry(column).or_default();
                    tests.push(condition.test.clone());
                }
                other => drafts.push(self.part(source, other, inside)),
            }
        }
        let plain = of_column
            .into_iter()
            .map(|(column, tests)| self.codes(source, column, together, tests));
        drafts.extend(plain);
        drafts
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
            values: vec![Value::Text(key.clone())].into(),
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
        let explicit = self.codes(source, column, Together::All, vec![test.clone()]);
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
                let by = Some(algorithm_code(derived.algorithm));
                let key = (addresses, by, Together::All, vec![test.clone()]);
                let job = self.job(key, || Job {
                    column: addresses,
                    hashes: Some(column),
                    together: Together::All,
                    work: vec![CodesFor::hashes(test, derived.algorithm)],
                    codes: None,
                    whole: None,
                    done: None,
                });
                let of_address = Draft::Codes { job };
                Draft::Any(vec![
                    explicit,
                    Draft::All(vec![of_address, is_derived(false)]),
                ])
            }
        }
    }

    /// The set of codes for which the tests hold, together.
    fn codes(
        &mut self,
        source: &impl Source,
        column: ColumnId,
        together: Together,
        tests: Vec<Test>,
    ) -> Draft {
        let dates = source.catalog().column(column).value == ValueType::Date;
        // One alone is the same set either way.
        let together = match tests.as_slice() {
            [_] => Together::All,
            _ => together,
        };
        let work = tests
            .iter()
            .map(|test| CodesFor::test(test.clone(), dates))
            .collect();
        let job = self.job((column, None, together, tests), || Job {
            column,
            hashes: None,
            together,
            work,
            codes: None,
            whole: None,
            done: None,
        });
        Draft::Codes { job }
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
    ///
    /// # Errors
    /// The sets need more memory than one search may have.
    pub(super) fn advance(
        &mut self,
        source: &impl Source,
        slice: &Slice,
    ) -> Result<bool, TooBroad> {
        while let Some(job) = self.jobs.get_mut(self.next) {
            if !job.advance(source, slice) {
                return Ok(false);
            }
            self.next += 1;
            self.bytes += job.bytes();
            if self.bytes > self.most_bytes {
                return Err(TooBroad);
            }
        }
        Ok(true)
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
            Draft::Codes { job } => self
                .jobs
                .get(*job)
                .and_then(|job| job.done.clone())
                .unwrap_or(Node::Constant(false)),
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

/// Whether a condition is one set of codes of its column.
fn is_plain(source: &impl Source, target: &Target, inside: Option<ListId>) -> bool {
    let place = source.catalog().column(target.column).place;
    let of_map = target.key.is_some() && place.list().is_some() && inside.is_none();
    !of_map && source.column(target.column).derived.is_none()
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

#[cfg(test)]
mod tests {
    use dialect::Query;
    use events_schema::record::RecordKind;

    use super::*;
    use crate::scan::plan::Leaf;
    use crate::scan::tests::memory_of;

    /// Bytes that the sets of a condition need, if no more than `most`, and the plan.
    fn planned(condition: &str, most: usize) -> Option<(usize, Node)> {
        let source = memory_of(RecordKind::Person, 3_000);
        let text = format!("SELECT * FROM person WHERE {condition}");
        let query = Query::parse(RecordKind::Person, &text).unwrap().query;
        let mut planner = Planner::new(most);
        let draft = planner.draft(&source, &query.filter.unwrap());
        loop {
            match planner.advance(&source, &Slice::begin()) {
                Ok(true) => return Some((planner.bytes, planner.finish(&source, &draft))),
                Ok(false) => {}
                Err(TooBroad) => return None,
            }
        }
    }

    fn bytes(condition: &str, most: usize) -> Option<usize> {
        planned(condition, most).map(|(bytes, _)| bytes)
    }

    /// Leaves of a plan, and the sets that they hold, each once.
    fn leaves<'n>(node: &'n Node, sets: &mut BTreeMap<*const CodeSet, &'n Leaf>) -> usize {
        match node {
            Node::Codes(leaf) => {
                sets.insert(Arc::as_ptr(leaf.lookup.set()), leaf);
                1
            }
            Node::All(nodes) | Node::Any(nodes) => {
                nodes.iter().map(|node| leaves(node, sets)).sum()
            }
            Node::Some { node, .. } => leaves(node, sets),
            Node::Constant(_) | Node::Derived { .. } | Node::Filled { .. } => 0,
        }
    }

    fn patterns(column: &str, word: &str) -> String {
        let patterns = ('a'..='z').map(|letter| format!("{column} LIKE '%{letter}%'"));
        patterns.collect::<Vec<_>>().join(word)
    }

    #[test]
    fn patterns_of_one_column_side_by_side_need_one_set() {
        let (any, all) = (
            patterns("full_name", " OR "),
            patterns("full_name", " AND "),
        );
        let one = bytes("full_name LIKE '%a%'", usize::MAX).unwrap();
        assert!(one > 0);
        for condition in [any, all] {
            assert!(
                bytes(&condition, usize::MAX).unwrap() <= 2 * one,
                "{condition}"
            );
        }
    }

    /// A condition that holds for no record falls away only once the sets are known: what it leaves side by side is one column's.
    #[test]
    fn a_plan_of_many_branches_has_no_sets_but_those_that_were_counted() {
        let codes: Vec<String> = (0..200).map(|code| format!("city <> '{code}'")).collect();
        let condition = format!(
            "full_name LIKE '%a%' AND (full_name LIKE '%e%' OR city = 'nope') AND emails.address LIKE '%a%' \
             AND (emails.address LIKE '%e%' OR {})",
            codes.join(" OR ")
        );
        let (bytes, plan) = planned(&condition, usize::MAX).unwrap();
        let mut sets = BTreeMap::new();
        assert!(leaves(&plan, &mut sets) >= 400, "{plan:?}");
        let needed: usize = sets.values().map(|leaf| leaf.lookup.bytes()).sum();
        assert!(needed <= bytes, "{needed} of {bytes}");
    }

    #[test]
    fn sets_that_need_too_much_memory_end_the_search() {
        let condition = "full_name LIKE '%a%' AND (full_name LIKE '%e%' OR city LIKE '%o%')";
        let needed = bytes(condition, usize::MAX).unwrap();
        assert_eq!(bytes(condition, needed), Some(needed));
        assert_eq!(bytes(condition, needed - 1), None);
    }
}
