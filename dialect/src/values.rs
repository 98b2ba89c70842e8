//! The values of an `IN`, shared by the branches that a condition is multiplied out to.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::filter::Value;

/// Values. Clones are the same list: equal at a glance, however long it is.
#[derive(Debug, Clone)]
pub struct Values(Arc<[Value]>);

impl Values {
    /// In order, each once.
    pub(crate) fn sorted(self) -> Self {
        let is_sorted = self.0.iter().zip(self.0.iter().skip(1)).all(|(a, b)| a < b);
        if is_sorted {
            return self;
        }
        let mut values = self.0.to_vec();
        values.sort_unstable();
        values.dedup();
        values.into()
    }

    /// The values of some lists; of one alone that list.
    pub(crate) fn joined(mut lists: Vec<Self>) -> Self {
        match lists.pop() {
            Some(only) if lists.is_empty() => only,
            last => {
                let lists = lists.iter().chain(&last);
                lists.flat_map(|list| list.iter().cloned()).collect()
            }
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Values {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl From<Vec<Value>> for Values {
    fn from(values: Vec<Value>) -> Self {
        Self(values.into())
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<'v> IntoIterator for &'v Values {
    type Item = &'v Value;
    type IntoIter = std::slice::Iter<'v, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl Ord for Values {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_same(other) {
            Ordering::Equal
        } else {
            self.0.cmp(&other.0)
        }
    }
}

impl PartialOrd for Values {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Values {}

impl Hash for Values {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
