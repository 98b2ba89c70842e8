//! What tells queries from others: a digest of the normal form itself, so that no text has to be written for it.
//!
//! Guarantee: the same for every spelling of a query, another one for every other query, and the same in every version:
//! columns and lists stand in it by their paths. The work is one walk over the filter.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use crate::column::{Catalog, ListId};
use crate::filter::{Condition, Filter, OrderKey, Query, Target, Test, Value};

/// A SHA-256.
pub type Digest = [u8; 32];

/// What tells a query from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digests {
    /// Of the kind and the condition: the same for every order of the same records.
    pub condition: Digest,
    /// Of the whole query.
    pub query: Digest,
}

impl Query {
    /// Digests of a query in normal form.
    #[must_use]
    pub fn digests(&self) -> Digests {
        let catalog = Catalog::of(self.kind);
        let mut condition = Walk::new(catalog);
        condition.text(self.kind.name());
        if let Some(filter) = &self.filter {
            condition.filter(filter);
        }
        let condition = condition.finish();
        let mut query = Walk::new(catalog);
        query.bytes(&condition);
        for key in &self.order {
            query.order(key);
        }
        Digests {
            condition,
            query: query.finish(),
        }
    }
}

/// A way through a query. Each part says what it is, and how long it is where that may differ, before what it holds: no two
/// queries give the same bytes.
struct Walk {
    catalog: &'static Catalog,
    digest: Sha256,
    /// The lists of values that were gone through, by where they stand: branches share them.
    lists: HashMap<*const Value, Digest>,
}

impl Walk {
    fn new(catalog: &'static Catalog) -> Self {
        Self {
            catalog,
            digest: Sha256::new(),
            lists: HashMap::new(),
        }
    }

    fn finish(self) -> Digest {
        self.digest.finalize().into()
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
    }

    fn number(&mut self, number: usize) {
        self.bytes(&(number as u64).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.bytes(text.as_bytes());
    }

    fn flag(&mut self, flag: bool) {
        self.bytes(&[u8::from(flag)]);
    }

    fn filter(&mut self, filter: &Filter) {
        match filter {
            Filter::And(parts) => self.parts(b"and", parts),
            Filter::Or(parts) => self.parts(b"or", parts),
            Filter::Test(Condition { target, test }) => {
                self.target(target);
                self.test(test);
            }
            Filter::Element {
                list,
                filter,
                negated,
            } => {
                self.list(b"element", *list, *negated);
                self.filter(filter);
            }
            Filter::Empty { list, negated } => self.list(b"empty", *list, *negated),
        }
    }

    fn parts(&mut self, join: &[u8], parts: &[Filter]) {
        self.tag(join);
        self.number(parts.len());
        for part in parts {
            self.filter(part);
        }
    }

    /// A word of this walk.
    fn tag(&mut self, word: &[u8]) {
        self.number(word.len());
        self.bytes(word);
    }

    fn list(&mut self, word: &[u8], list: ListId, negated: bool) {
        self.tag(word);
        self.text(&self.catalog.list(list).path);
        self.flag(negated);
    }

    fn target(&mut self, target: &Target) {
        self.tag(b"test");
        self.text(&self.catalog.column(target.column).path);
        self.flag(target.key.is_some());
        if let Some(key) = &target.key {
            self.text(key);
        }
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::In { values, negated } => {
                self.tag(b"in");
                self.flag(*negated);
                let catalog = self.catalog;
                let known = self.lists.entry(values.as_ptr());
                let digest = *known.or_insert_with(|| values_digest(catalog, values));
                self.bytes(&digest);
            }
            Test::Range { low, high } => {
                self.tag(b"range");
                for bound in [low, high] {
                    self.flag(bound.is_some());
                    if let Some((value, inclusive)) = bound {
                        self.value(value);
                        self.flag(*inclusive);
                    }
                }
            }
            Test::Like { pattern, negated } => {
                self.tag(b"like");
                self.flag(*negated);
                self.text(pattern);
            }
            Test::Null { negated } => {
                self.tag(b"null");
                self.flag(*negated);
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Text(text) => {
                self.bytes(b"t");
                self.text(text);
            }
            Value::Integer(number) => {
                self.bytes(b"i");
                self.bytes(&number.to_be_bytes());
            }
            Value::Number(number) => {
                self.bytes(b"n");
                self.bytes(&number.to_bits().to_be_bytes());
            }
            Value::Boolean(boolean) => {
                self.bytes(b"b");
                self.flag(*boolean);
            }
        }
    }

    fn order(&mut self, key: &OrderKey) {
        self.text(&self.catalog.column(key.column).path);
        self.flag(key.descending);
        self.flag(key.nulls_first);
    }
}

/// Of the values of a list: it has a digest of its own, since the branches of a condition may share it.
fn values_digest(catalog: &'static Catalog, values: &[Value]) -> Digest {
    let mut walk = Walk::new(catalog);
    walk.number(values.len());
    for value in values {
        walk.value(value);
    }
    walk.finish()
}
