//! From what is stored back to the document.

use std::sync::{Mutex, PoisonError};

use zstd::bulk::Decompressor;
use zstd::zstd_safe::get_frame_content_size;

use crate::{Dictionary, MAX_DOCUMENT_BYTES};

/// Working states that are kept for the next caller, of some 300 kB each.
const KEPT_STATES: usize = 16;

/// Why stored bytes gave no document.
#[derive(Debug, thiserror::Error)]
pub enum UnpackFault {
    /// The bytes are no packed document, or not one of this length.
    #[error("a stored document is damaged")]
    Damaged,
    /// What they say of their length is beyond the limit.
    #[error(
        "a stored document says that it has {0} bytes; at most {MAX_DOCUMENT_BYTES} are unpacked"
    )]
    TooLong(u64),
    /// Cut, changed, or packed with another dictionary.
    #[error("a stored document cannot be unpacked")]
    Zstd(#[from] std::io::Error),
}

/// Unpacks documents of one build, for any number of threads.
pub struct Unpacker {
    dictionary: Dictionary,
    idle: Mutex<Vec<Decompressor<'static>>>,
}

impl std::fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacker")
            .field("dictionary_bytes", &self.dictionary.bytes().len())
            .finish_non_exhaustive()
    }
}

impl Unpacker {
    /// An unpacker with a build's dictionary.
    ///
    /// # Errors
    /// When the bytes are no dictionary.
    pub fn new(dictionary: Dictionary) -> Result<Self, UnpackFault> {
        let first = Decompressor::with_dictionary(dictionary.bytes())?;
        Ok(Self {
            dictionary,
            idle: Mutex::new(vec![first]),
        })
    }

    /// The document; some microseconds for a few kB.
    ///
    /// # Errors
    /// When the bytes are damaged, of another build, or more than [`MAX_DOCUMENT_BYTES`] when unpacked.
    pub fn unpack(&self, stored: &[u8]) -> Result<Vec<u8>, UnpackFault> {
        let length = get_frame_content_size(stored).ok().flatten();
        let length = length.ok_or(UnpackFault::Damaged)?;
        let capacity = usize::try_from(length)
            .ok()
            .filter(|length| *length <= MAX_DOCUMENT_BYTES)
            .ok_or(UnpackFault::TooLong(length))?;
        let idle = self.lock().pop();
        let mut state = match idle {
            Some(state) => state,
            None => Decompressor::with_dictionary(self.dictionary.bytes())?,
        };
        // A fault leaves the state behind: it is not used again.
        let document = state.decompress(stored, capacity)?;
        let mut idle = self.lock();
        if idle.len() < KEPT_STATES {
            idle.push(state);
        }
        if document.len() == capacity {
            Ok(document)
        } else {
            Err(UnpackFault::Damaged)
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Decompressor<'static>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
