//! From a document to what is stored.

use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use crate::{Dictionary, MAX_DOCUMENT_BYTES};

/// Level 3: the higher ones took several times as long for a few bytes less.
const LEVEL: i32 = 3;

/// Why a document was not packed.
#[derive(Debug, thiserror::Error)]
pub enum PackFault {
    /// Longer than [`MAX_DOCUMENT_BYTES`].
    #[error("a document has {0} bytes; at most {MAX_DOCUMENT_BYTES} are taken")]
    TooLong(usize),
    /// The dictionary is none, or there is no memory.
    #[error("a document cannot be packed")]
    Zstd(#[from] std::io::Error),
}

/// Packs documents of one build, one after the other.
pub struct Packer(Compressor<'static>);

impl Packer {
    /// A packer with a build's dictionary; it makes its tables from it once, in about a millisecond.
    ///
    /// # Errors
    /// When the bytes are no dictionary.
    pub fn new(dictionary: &Dictionary) -> Result<Self, PackFault> {
        let mut compressor = Compressor::with_dictionary(LEVEL, dictionary.bytes())?;
        // Four bytes a document, by which a changed one is noticed.
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        Ok(Self(compressor))
    }

    /// What is stored of a document.
    ///
    /// # Errors
    /// When it is too long.
    pub fn pack(&mut self, document: &[u8]) -> Result<Vec<u8>, PackFault> {
        if document.len() > MAX_DOCUMENT_BYTES {
            return Err(PackFault::TooLong(document.len()));
        }
        Ok(self.0.compress(document)?)
    }
}
