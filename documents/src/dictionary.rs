//! What documents of one build have in common: keys, words of closed lists, frequent names.

/// Bytes of a dictionary: beyond these, documents of a few kB hardly become smaller.
const DICTIONARY_BYTES: usize = 110 * 1024;
/// Samples are read up to so many bytes, a hundred times the dictionary: more made it no better, only slower.
const SAMPLE_BYTES: usize = 12 * 1024 * 1024;
/// Fewer documents than these have nothing in common that would be worth a dictionary.
const MIN_SAMPLES: usize = 100;
/// A dictionary is at most this part of its samples: a larger one would hold them, not what they share.
const SHARE_OF_SAMPLES: usize = 8;

/// What a build's documents are packed with. Empty: packed each by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary(Vec<u8>);

impl Dictionary {
    /// A dictionary as it was kept.
    #[must_use]
    pub const fn of_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes to keep.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Makes a dictionary from the first documents of a build; of the same documents always the same. Takes up to a few
/// seconds of one thread. Too few documents give the empty one.
#[must_use]
pub fn train(documents: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Dictionary {
    let (mut samples, mut lengths) = (Vec::new(), Vec::new());
    for document in documents {
        let document = document.as_ref();
        if samples.len() + document.len() > SAMPLE_BYTES {
            break;
        }
        samples.extend_from_slice(document);
        lengths.push(document.len());
    }
    if lengths.len() < MIN_SAMPLES {
        return Dictionary::default();
    }
    let limit = DICTIONARY_BYTES.min(samples.len() / SHARE_OF_SAMPLES);
    // zstd refuses samples in which it finds too little to share; documents are packed without a dictionary then.
    Dictionary(zstd::dict::from_continuous(&samples, &lengths, limit).unwrap_or_default())
}
