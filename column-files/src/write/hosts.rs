//! The hosts of a dictionary's texts, collected text by text: what each has from its first `@` on.

use std::collections::HashMap;

/// Hosts that are told apart; a dictionary with more gets none, so that memory has a limit.
const MOST_HOSTS: usize = 1 << 22;

/// Hosts of a dictionary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hosts {
    /// Each once, sorted.
    pub(super) texts: Vec<Box<[u8]>>,
    /// Of each text of the dictionary: the code of its host, 0 where it has none.
    pub(super) codes: Vec<u32>,
}

/// A code a text, and each host once.
#[derive(Debug, Default)]
pub(super) struct HostCodes {
    /// Of each text: the place of its host among them as they came, from 1; 0 where it has no `@`.
    codes: Vec<u32>,
    places: HashMap<Box<[u8]>, u32>,
    /// How many texts have a host.
    filled: usize,
    is_given_up: bool,
}

impl HostCodes {
    /// Adds the next text.
    pub(super) fn add(&mut self, text: &[u8]) {
        if self.is_given_up {
            return;
        }
        let host = memchr::memchr(b'@', text).and_then(|at| text.get(at..));
        let next = u32::try_from(self.places.len() + 1).unwrap_or(u32::MAX);
        let code = match host {
            None => 0,
            Some(host) => match self.places.get(host) {
                Some(place) => *place,
                None => {
                    self.places.insert(host.into(), next);
                    next
                }
            },
        };
        self.codes.push(code);
        self.filled += usize::from(code > 0);
        if self.places.len() > MOST_HOSTS {
            *self = Self {
                is_given_up: true,
                ..Self::default()
            };
        }
    }

    /// None where hosts gain nothing: fewer than half of the texts have one, or there are more than one for two of those.
    pub(super) fn finish(self) -> Option<Hosts> {
        if self.filled == 0
            || self.filled * 2 < self.codes.len()
            || self.places.len() * 2 > self.filled
        {
            return None;
        }
        let mut hosts: Vec<(Box<[u8]>, u32)> = self.places.into_iter().collect();
        hosts.sort_unstable();
        let mut sorted = vec![0; hosts.len() + 1];
        for (code, (_, place)) in (1..).zip(&hosts) {
            if let Some(of_place) = sorted.get_mut(*place as usize) {
                *of_place = code;
            }
        }
        let mut codes = self.codes;
        for code in &mut codes {
            *code = sorted.get(*code as usize).copied().unwrap_or(0);
        }
        Some(Hosts {
            texts: hosts.into_iter().map(|(host, _)| host).collect(),
            codes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts_of(texts: &[&str]) -> Option<Hosts> {
        let mut codes = HostCodes::default();
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
        let expected = Hosts {
            texts: hosts.map(|host| host.as_bytes().into()).to_vec(),
            codes: vec![2, 0, 1, 2, 3, 1, 3],
        };
        assert_eq!(hosts_of(&texts), Some(expected));
    }

    #[test]
    fn texts_that_share_no_host_have_none() {
        assert_eq!(hosts_of(&["a@x", "b@y", "c@z", "d@z"]), None);
        assert_eq!(hosts_of(&["a@x", "b@x", "c", "d", "e"]), None);
        assert_eq!(hosts_of(&["a", "b"]), None);
    }
}
