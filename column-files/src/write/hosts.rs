//! The hosts of a dictionary's texts, collected text by text: what each has from its first `@` on.
//!
//! Most dictionaries hold no addresses, and some texts have an `@` in the middle of prose. So it is looked at again and again whether hosts
//! still gain something, and collecting ends for good where they do not, or where they would take too much memory: beside four bytes a text at
//! most two hundred megabytes.

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// A longer text behind an `@` is no host.
const MAX_BYTES: usize = 255;
/// Hosts that are told apart, and bytes of all of them.
const MAX_HOSTS: usize = 1 << 21;
const MAX_BYTES_OF_ALL: usize = 64 << 20;
/// After so many texts it is looked at for the first time what hosts gain, and then whenever there are twice as many.
const FIRST_LOOK: usize = 65_536;

/// Hosts of a dictionary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hosts {
    /// Each once, sorted.
    pub(super) texts: Texts,
    /// Of each text of the dictionary: the code of its host, 0 where it has none.
    pub(super) codes: Vec<u32>,
}

/// Texts, one behind the other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds one at the end.
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The one at a place, from 0; an empty one beyond the end.
    pub(super) fn get(&self, at: usize) -> &[u8] {
        let before = at.checked_sub(1).and_then(|at| self.ends.get(at));
        let end = self.ends.get(at).copied().unwrap_or(0);
        let text = self.bytes.get(before.copied().unwrap_or(0)..end);
        text.unwrap_or_default()
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Forgets all hosts.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

/// A code a text, and each host once.
#[derive(Debug)]
pub(super) struct HostCodes {
    /// Of each text: the place of its host among them as they came, from 1; 0 where it has no `@`.
    codes: Vec<u32>,
    hosts: Texts,
    /// Places of hosts, from 1, by what they are.
    table: HashTable<u32>,
    state: FixedState,
    /// How many texts have a host.
    filled: usize,
    next_look: usize,
    is_given_up: bool,
}

impl HostCodes {
    pub(super) fn new() -> Self {
        Self {
            codes: Vec::new(),
            hosts: Texts::default(),
            table: HashTable::new(),
            state: FixedState::default(),
            filled: 0,
            next_look: FIRST_LOOK,
            is_given_up: false,
        }
    }

    /// Adds the next text.
    pub(super) fn add(&mut self, text: &[u8]) {
        if self.is_given_up {
            return;
        }
        let host = memchr::memchr(b'@', text).and_then(|at| text.get(at..));
        if host.is_some_and(|host| host.len() > MAX_BYTES) {
            return self.give_up();
        }
        let code = host.map_or(0, |host| self.place_of(host));
        self.codes.push(code);
        self.filled += usize::from(code > 0);
        if self.codes.len() >= self.next_look {
            self.next_look = self.next_look.saturating_mul(2);
            if !self.gains() {
                return self.give_up();
            }
        }
        if self.hosts.len() > MAX_HOSTS || self.hosts.bytes.len() > MAX_BYTES_OF_ALL {
            self.give_up();
        }
    }

    fn place_of(&mut self, host: &[u8]) -> u32 {
        let Self {
            hosts,
            table,
            state,
            ..
        } = self;
        let hash = |text: &[u8]| std::hash::BuildHasher::hash_one(state, text);
        let at = |place: u32| hosts.get(place as usize - 1);
        if let Some(place) = table.find(hash(host), |place| at(*place) == host) {
            return *place;
        }
        let place = u32::try_from(hosts.len() + 1).unwrap_or(u32::MAX);
        table.insert_unique(hash(host), place, |place| hash(at(*place)));
        hosts.push(host);
        place
    }

    fn give_up(&mut self) {
        *self = Self {
            is_given_up: true,
            ..Self::new()
        };
    }

    /// Whether half of the texts have a host, and two of those share one on average.
    const fn gains(&self) -> bool {
        self.filled > 0
            && self.filled * 2 >= self.codes.len()
            && self.hosts.len() * 2 <= self.filled
    }

    /// None where hosts gain nothing.
    pub(super) fn finish(self) -> Option<Hosts> {
        if self.is_given_up || !self.gains() {
            return None;
        }
        let mut order: Vec<usize> = (0..self.hosts.len()).collect();
        order.sort_unstable_by_key(|at| self.hosts.get(*at));
        // By the place of a host, from 1.
        let mut sorted = vec![0; order.len() + 1];
        let mut texts = Texts::default();
        for (code, at) in (1..).zip(&order) {
            texts.push(self.hosts.get(*at));
            if let Some(of_place) = sorted.get_mut(at + 1) {
                *of_place = code;
            }
        }
        let mut codes = self.codes;
        for code in &mut codes {
            *code = sorted.get(*code as usize).copied().unwrap_or(0);
        }
        Some(Hosts { texts, codes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts_of(texts: &[&str]) -> Option<Hosts> {
        let mut codes = HostCodes::new();
        for text in texts {
            codes.add(text.as_bytes());
        }
        codes.finish()
    }

    #[test]
    fn each_text_has_the_code_of_what_follows_its_first_at_sign() {
        let texts = [
            "a@x.example",
            "b",
            "c@b.example",
            "d@x.example",
            "e@x@b.example",
            "f@b.example",
            "g@x@b.example",
        ];
        let hosts = ["@b.example", "@x.example", "@x@b.example"];
        let found = hosts_of(&texts).unwrap();
        assert!(found.texts.iter().eq(hosts.map(str::as_bytes)), "{found:?}");
        assert_eq!(found.codes, [2, 0, 1, 2, 3, 1, 3]);
    }

    #[test]
    fn texts_that_share_no_host_have_none() {
        assert_eq!(hosts_of(&["a@x", "b@y", "c@z", "d@z"]), None);
        assert_eq!(hosts_of(&["a@x", "b@x", "c", "d", "e"]), None);
        assert_eq!(hosts_of(&["a", "b"]), None);
    }

    #[test]
    fn what_is_no_dictionary_of_addresses_takes_no_memory() {
        let mut codes = HostCodes::new();
        for row in 0..FIRST_LOOK {
            codes.add(format!("{row} of nowhere").as_bytes());
        }
        assert!(codes.is_given_up && codes.codes.capacity() == 0);
        let mut codes = HostCodes::new();
        for row in 0..FIRST_LOOK {
            codes.add(format!("a@{row}.example").as_bytes());
        }
        assert!(codes.is_given_up && codes.table.is_empty() && codes.hosts.bytes.capacity() == 0);
        let mut codes = HostCodes::new();
        codes.add(format!("write to me @ {}", "home ".repeat(60)).as_bytes());
        assert!(codes.is_given_up);
        codes.add(b"a@x");
        assert!(codes.finish().is_none());
        let mut codes = HostCodes::new();
        for row in 0..2 * FIRST_LOOK {
            codes.add(format!("{row}@{}.example", row % 7).as_bytes());
        }
        assert_eq!(codes.finish().unwrap().texts.len(), 7);
    }
}
