//! Records' documents as a data build stores them: JSON, packed by zstd with a dictionary that was trained on the
//! build's own first records.
//!
//! Reading order: [`dictionary`] is trained once a build and kept with it; projector packs every document by a
//! [`Packer`]; query-service unpacks those that it shows or compares by an [`Unpacker`].
//!
//! Guarantees: what was packed comes back to the byte, under the dictionary it was packed with and under no other; bytes
//! that were changed are an error, never another document; nothing unpacks to more than [`MAX_DOCUMENT_BYTES`]. Pure: no
//! SQL, no file, no JSON here.

pub mod dictionary;
mod pack;
mod unpack;

pub use dictionary::{Dictionary, train};
pub use pack::{PackFault, Packer};
pub use unpack::{UnpackFault, Unpacker};

/// Longest document in bytes of JSON, four times the longest line that is taken: what is derived from a line adds little.
pub const MAX_DOCUMENT_BYTES: usize = 64 * 1024 * 1024;
