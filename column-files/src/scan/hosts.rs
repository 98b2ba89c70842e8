//! A pattern that begins with `%@`: what it says of a host it says of every text with that host.

use std::sync::Arc;

use super::code_set::CodeSet;
use super::kernel::{How, Lookup};
use super::pattern::Pattern;
use super::seek::Seek;
use super::slice::Slice;
use crate::view::Hosts;

/// Texts between two looks at the clock.
const TEXTS: usize = 64 * 256;

/// A search through the hosts of a dictionary, and then through the hosts' codes.
#[derive(Debug)]
pub(super) struct HostSeek {
    state: State,
    negated: bool,
    /// One bit a text.
    bits: Vec<u64>,
}

#[derive(Debug)]
enum State {
    /// Hosts are sought.
    Seek(Box<Seek>),
    /// These are those that match.
    Found(Lookup),
}

impl HostSeek {
    /// A search for a pattern [of hosts](Pattern::is_of_hosts).
    pub(super) fn new(hosts: &Hosts<'_>, pattern: Pattern, negated: bool) -> Self {
        let dictionary = hosts.dictionary();
        let all = (1, dictionary.len);
        Self {
            state: State::Seek(Box::new(Seek::new(&dictionary, pattern, false, all))),
            negated,
            bits: Vec::new(),
        }
    }

    /// Works until the slice is over; says whether the search is done.
    pub(super) fn advance(&mut self, hosts: &Hosts<'_>, slice: &Slice) -> bool {
        if let State::Seek(seek) = &mut self.state {
            let dictionary = hosts.dictionary();
            if !seek.advance(&dictionary, slice) {
                return false;
            }
            let found = seek.found(dictionary.len);
            self.state = State::Found(Lookup::of(Arc::new(found)));
        }
        let State::Found(lookup) = &self.state else {
            return false;
        };
        loop {
            let rest = hosts.codes.get(self.bits.len() * 64..).unwrap_or_default();
            let Some(codes) = rest
                .get(..rest.len().min(TEXTS))
                .filter(|codes| !codes.is_empty())
            else {
                return true;
            };
            let from = self.bits.len();
            self.bits.resize(from + codes.len().div_ceil(64), u64::MAX);
            let register = self.bits.get_mut(from..).unwrap_or_default();
            lookup.put(codes, register, None, How::And);
            if slice.is_over() {
                return codes.len() == rest.len();
            }
        }
    }

    /// The codes of texts that match, or of those that do not.
    pub(super) fn finish(self, known: u32) -> CodeSet {
        let found = CodeSet::of_places(known, 0, self.bits);
        if self.negated {
            found.other_known()
        } else {
            found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::text::tests::laid_out;

    /// However often it is interrupted, and wherever codes end.
    #[test]
    fn a_search_goes_on_where_its_slice_ended() {
        let names: Vec<String> = (0..1_000)
            .map(|host| format!("@host{host:03}.example"))
            .collect();
        let (blocks, bytes) = laid_out(&names);
        for len in [1, 63, 64, TEXTS - 1, TEXTS, 2 * TEXTS, 3 * TEXTS + 65] {
            let codes: Vec<u32> = (0..len as u32).map(|text| text * 7 % 1_001).collect();
            let hosts = Hosts {
                codes: &codes,
                blocks: &blocks,
                bytes: &bytes,
            };
            for negated in [false, true] {
                let mut seek = HostSeek::new(&hosts, Pattern::of("%@host%7.example"), negated);
                let mut slices = 1;
                while !seek.advance(&hosts, &Slice::nothing()) {
                    slices += 1;
                }
                assert!(slices >= len / TEXTS, "{slices}");
                let known = len as u32;
                let found = seek.finish(known);
                for (text, code) in (1..).zip(&codes) {
                    let matches = *code > 0 && (code - 1) % 10 == 7;
                    assert_eq!(found.has(text), matches != negated, "{text} of {len}");
                }
                assert!(!found.has(0));
            }
        }
    }
}
