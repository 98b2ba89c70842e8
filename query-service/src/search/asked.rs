//! A query as a request carries it: one for all that look at it, with what tells it from others, worked out when it is needed
//! first.

use std::sync::{Arc, OnceLock};

use dialect::{Digest, Digests, Query};

use super::cursor::Fingerprint;

/// A query that is asked. Clones share it.
#[derive(Debug, Clone)]
pub struct Asked(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    query: Query,
    digests: OnceLock<Digests>,
}

impl Asked {
    /// The query.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.0.query
    }

    /// What a cursor knows the query by: the same for every spelling of it.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let digest = self.digests().query;
        digest.first_chunk().copied().unwrap_or_default()
    }

    /// What a total is known by: the same for every order of the records.
    pub(super) fn condition(&self) -> Digest {
        self.digests().condition
    }

    fn digests(&self) -> Digests {
        *self.0.digests.get_or_init(|| self.0.query.digests())
    }
}

impl From<Query> for Asked {
    fn from(query: Query) -> Self {
        Self(Arc::new(Inner {
            query,
            digests: OnceLock::new(),
        }))
    }
}
