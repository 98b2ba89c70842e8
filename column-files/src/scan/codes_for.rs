//! From a comparison to codes: literals are looked up in the dictionary, patterns are run over it, in slices.

use std::sync::Arc;

use dialect::{Test, Value, Values};

use super::code_set::CodeSet;
use super::compare::{TextTest, text};
use super::dictionary::{entries_below, id_text, known, run_of, texts_below};
use super::hashes::Hashes;
use super::hosts::HostSeek;
use super::kernel::Lookup;
use super::pattern::Pattern;
use super::seek::Seek;
use super::slice::Slice;
use crate::email_hash;
use crate::view::{ColumnView, Dictionary, HashAlgorithm, TextDictionary};

/// Work that ends in a set of codes.
#[derive(Debug)]
pub(super) struct CodesFor {
    /// Of dates a literal means its whole period.
    dates: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing is done.
    New(Test),
    /// Literals are looked up, one after the other.
    Values {
        values: Values,
        /// How many are looked up.
        done: usize,
        negated: bool,
        runs: Vec<(u32, u32)>,
    },
    /// A text is sought in blocks of texts.
    Seek(Box<Seek>),
    /// A pattern is tried on the hosts of addresses.
    Hosts(HostSeek),
    /// Every entry is tested.
    Each { test: TextTest, bits: Vec<u64> },
    /// The hashes of addresses are tested, those with a fingerprint of `likely` or all.
    Hashes {
        test: TextTest,
        likely: Option<Box<Lookup>>,
        negated: bool,
        bits: Vec<u64>,
        next: u32,
    },
    /// Done.
    Done,
}

/// Literals that are looked up between two looks at the clock.
const VALUES: usize = 16;
/// UUIDs between two looks at the clock.
const ENTRIES: u32 = 256;

impl CodesFor {
    /// The codes of a column that make `test` true.
    pub(super) const fn test(test: Test, dates: bool) -> Self {
        Self {
            dates,
            state: State::New(test),
        }
    }

    /// The codes of addresses whose hash makes `test` true.
    pub(super) fn hashes(test: &Test, algorithm: HashAlgorithm) -> Self {
        let likely = match test {
            Test::In { values, .. } => {
                let fingerprints = values
                    .iter()
                    .filter_map(|value| email_hash::fingerprint_of_hex(algorithm, text(value)?))
                    .map(|fingerprint| (fingerprint.into(), fingerprint.into()));
                let codes = CodeSet::of_runs(u16::MAX.into(), fingerprints.collect());
                Some(Box::new(Lookup::of(Arc::new(codes))))
            }
            _ => None,
        };
        // Few addresses are in a list of hashes: those are sought, and the others taken where they are meant.
        let (test, negated) = match test {
            Test::In { values, negated } => (
                Test::In {
                    values: values.clone(),
                    negated: false,
                },
                *negated,
            ),
            test => (test.clone(), false),
        };
        let test = TextTest::of(&test, false);
        Self {
            dates: false,
            state: State::Hashes {
                test,
                likely,
                negated,
                bits: Vec::new(),
                next: 0,
            },
        }
    }

    /// Works until it is done or the slice is over. `column` holds the codes; `fingerprints` only matter for hashes, and
    /// `column` is then that of the addresses.
    pub(super) fn advance(
        &mut self,
        column: &ColumnView<'_>,
        fingerprints: Option<(HashAlgorithm, &[u16])>,
        slice: &Slice,
    ) -> Option<CodeSet> {
        let known = known(&column.dictionary);
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::New(test) => match begin(test, column, known, self.dates) {
                    Ok(codes) => return Some(codes),
                    Err(state) => self.state = state,
                },
                State::Values {
                    values,
                    done,
                    negated,
                    mut runs,
                } => {
                    for value in values.iter().skip(done).take(VALUES) {
                        runs.push(run_of(&column.dictionary, value, self.dates));
                    }
                    let done = done + VALUES;
                    if done >= values.len() {
                        let codes = CodeSet::of_runs(known, runs);
                        return Some(if negated { codes.other_known() } else { codes });
                    }
                    self.state = State::Values {
                        values,
                        done,
                        negated,
                        runs,
                    };
                }
                State::Seek(mut seek) => {
                    let Dictionary::Text(dictionary) = &column.dictionary else {
                        return Some(CodeSet::none(known));
                    };
                    if seek.advance(dictionary, slice) {
                        return Some(seek.found(known));
                    }
                    self.state = State::Seek(seek);
                }
                State::Hosts(mut seek) => {
                    let Dictionary::Text(TextDictionary {
                        hosts: Some(hosts), ..
                    }) = &column.dictionary
                    else {
                        return Some(CodeSet::none(known));
                    };
                    if seek.advance(hosts, slice) {
                        return Some(seek.finish(known));
                    }
                    self.state = State::Hosts(seek);
                }
                State::Each { test, mut bits } => {
                    if each(&column.dictionary, &test, &mut bits, known) {
                        return Some(CodeSet::of_bits(known, bits));
                    }
                    self.state = State::Each { test, bits };
                }
                State::Hashes {
                    test,
                    likely,
                    negated,
                    mut bits,
                    mut next,
                } => {
                    let Some((algorithm, fingerprints)) = fingerprints else {
                        return Some(CodeSet::none(known));
                    };
                    bits.resize(super::code_set::words(known), 0);
                    let some = Hashes {
                        column,
                        algorithm,
                        fingerprints,
                        test: &test,
                        likely: likely.as_deref(),
                    };
                    if some.advance(&mut bits, &mut next, known) {
                        let codes = CodeSet::of_bits(known, bits);
                        return Some(if negated { codes.other_known() } else { codes });
                    }
                    self.state = State::Hashes {
                        test,
                        likely,
                        negated,
                        bits,
                        next,
                    };
                }
                State::Done => return Some(CodeSet::none(known)),
            }
            if slice.is_over() {
                return None;
            }
        }
    }
}

fn begin(test: Test, column: &ColumnView<'_>, known: u32, dates: bool) -> Result<CodeSet, State> {
    match test {
        Test::Null { negated: false } => Ok(CodeSet::unknown(known)),
        Test::Null { negated: true } => Ok(CodeSet::every_known(known)),
        Test::In { values, negated } => Err(State::Values {
            values,
            done: 0,
            negated,
            runs: Vec::new(),
        }),
        Test::Range { low, high } => {
            let dictionary = &column.dictionary;
            let below = |value: &Value, strictly| entries_below(dictionary, value, strictly, dates);
            let first = low
                .as_ref()
                .map_or(0, |(value, closed)| below(value, *closed));
            let last = high
                .as_ref()
                .map_or(known, |(value, closed)| below(value, !*closed));
            Ok(CodeSet::of_runs(
                known,
                vec![(first.saturating_add(1), last)],
            ))
        }
        Test::Like { pattern, negated } => like(&pattern, negated, &column.dictionary, known),
    }
}

fn like(
    source: &str,
    negated: bool,
    dictionary: &Dictionary<'_>,
    known: u32,
) -> Result<CodeSet, State> {
    if !matches!(dictionary, Dictionary::Text(_) | Dictionary::Id(_)) {
        return Ok(CodeSet::none(known));
    }
    let pattern = Pattern::of(source);
    let finished = |codes: CodeSet| if negated { codes.other_known() } else { codes };
    let lead = pattern.lead();
    let first = texts_below(dictionary, |text| text < lead);
    if let Some(exact) = pattern.exact() {
        let last = texts_below(dictionary, |text| text <= exact);
        return Ok(finished(CodeSet::of_runs(known, vec![(first + 1, last)])));
    }
    let last = if lead.is_empty() {
        known
    } else {
        texts_below(dictionary, |text| text < lead || text.starts_with(lead))
    };
    if pattern.is_prefix() || first >= last {
        return Ok(finished(CodeSet::of_runs(known, vec![(first + 1, last)])));
    }
    match dictionary {
        Dictionary::Text(texts) => {
            let hosts = texts.hosts.filter(|_| pattern.is_of_hosts());
            let seek = Seek::new(texts, pattern, negated, (first + 1, last));
            match hosts {
                Some(hosts) if !seek.is_narrow() => Err(State::Hosts(HostSeek::new(
                    &hosts,
                    Pattern::of(source),
                    negated,
                ))),
                _ => Err(State::Seek(Box::new(seek))),
            }
        }
        _ => Err(State::Each {
            test: TextTest::Like { pattern, negated },
            bits: Vec::new(),
        }),
    }
}

/// Tests the next entries of a dictionary of UUIDs; `bits` holds those of the codes before.
fn each(dictionary: &Dictionary<'_>, test: &TextTest, bits: &mut Vec<u64>, known: u32) -> bool {
    let Dictionary::Id(ids) = dictionary else {
        return true;
    };
    for _ in 0..ENTRIES / 64 {
        let base = bits.len() * 64;
        let mut word = 0;
        // Code 0 is no entry.
        let codes = base.max(1)..(base + 64).min(known as usize + 1);
        for (code, id) in codes
            .clone()
            .zip(ids.get(codes.start - 1..).unwrap_or_default())
        {
            word |= u64::from(test.holds(id_text(id, &mut [0; 36]))) << (code - base);
        }
        bits.push(word);
        if bits.len() * 64 > known as usize {
            return true;
        }
    }
    false
}
