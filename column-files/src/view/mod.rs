//! What a scan sees of a column: a sorted dictionary and a code for every row or element.
//!
//! Codes are 1-based places in the dictionary, 0 is unknown. The dictionary is sorted, so that equality, ranges and
//! prefixes are ranges of codes and the order of codes is the order of values.

mod text;
pub(crate) mod trigrams;

pub use text::Block;
pub(crate) use text::compare_heads;

/// Rows of one chunk: the unit of evaluation. A list's elements start anew at a multiple of 64 in each.
pub const CHUNK_ROWS: u32 = 65_536;
/// Entries that share one prefix in a [`TextDictionary`].
pub const BLOCK_ENTRIES: u32 = 128;
/// Ends every tail in a [`TextDictionary`]; no byte of UTF-8 text.
pub const TAIL_END: u8 = 0xFF;

/// One column: of a record (a code a row) or of a list (a code an element).
#[derive(Debug, Clone, Copy)]
pub struct ColumnView<'a> {
    /// The distinct values.
    pub dictionary: Dictionary<'a>,
    /// One a row, or one an element (see [`ListView`]).
    pub codes: Codes<'a>,
    /// How many rows have each code, from code 1, of a list: in some element; none where nearly every value is a different
    /// one.
    pub counts: Option<&'a [u32]>,
    /// Where there are no counts: the codes that more than one row has, in order, and how many rows have them.
    pub repeated: &'a [[u32; 2]],
    /// Only of e-mail hashes: those that are not kept because they are the address's.
    pub derived: Option<DerivedHashes<'a>>,
}

/// Codes in the narrowest width that holds them.
#[derive(Debug, Clone, Copy)]
pub enum Codes<'a> {
    /// No value is known anywhere.
    Absent,
    /// Up to 255 values.
    U8(&'a [u8]),
    /// Up to 65,535 values.
    U16(&'a [u16]),
    /// More.
    U32(&'a [u32]),
}

/// The distinct values of a column, sorted.
#[derive(Debug, Clone, Copy)]
pub enum Dictionary<'a> {
    /// Folded text, dates included, in the order of its bytes.
    Text(TextDictionary<'a>),
    /// UUIDs in the order of their bytes, which is that of their text.
    Id(&'a [[u8; 16]]),
    /// Whole numbers.
    Integer(&'a [i64]),
    /// Numbers by `total_cmp`.
    Number(&'a [f64]),
    /// Code 1 is false, code 2 is true.
    Boolean,
}

/// Sorted texts in blocks of [`BLOCK_ENTRIES`]: the prefix that all of a block share, then each one's tail ended by
/// [`TAIL_END`].
#[derive(Debug, Clone, Copy, Default)]
pub struct TextDictionary<'a> {
    /// How many texts.
    pub len: u32,
    /// Where each block begins in `bytes`, and at the end where the last one ends.
    pub blocks: &'a [u64],
    /// Of each block: length of the prefix as `u16` little endian, the prefix, the tails.
    pub bytes: &'a [u8],
    /// Of a large dictionary: slices of the blocks' signatures, each of one bit a block, in whole words; else nothing.
    pub trigrams: &'a [u64],
    /// Of a large dictionary of e-mail addresses.
    pub hosts: Option<Hosts<'a>>,
}

/// What the texts of a dictionary have from their first `@` on, that included: the hosts of e-mail addresses.
#[derive(Debug, Clone, Copy)]
pub struct Hosts<'a> {
    /// Of each text, from code 1: the code of its host, 0 where it has no `@`.
    pub codes: &'a [u32],
    /// Of the dictionary of hosts: where each block begins, and where the last one ends.
    pub blocks: &'a [u64],
    /// Its blocks.
    pub bytes: &'a [u8],
}

/// Hashes of e-mail addresses that are computed instead of kept.
#[derive(Debug, Clone, Copy)]
pub struct DerivedHashes<'a> {
    /// Which hash.
    pub algorithm: HashAlgorithm,
    /// One bit an element: its hash is that of its address.
    pub is_derived: &'a [u64],
    /// Of each address by its code, from code 1: the first two bytes of its hash, big endian.
    pub fingerprints: &'a [u16],
}

/// An e-mail hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashAlgorithm {
    /// 64 hexadecimal digits.
    Sha256,
    /// 40 hexadecimal digits.
    Sha1,
    /// 32 hexadecimal digits.
    Md5,
}

/// How the elements of a list belong to rows.
#[derive(Debug, Clone, Copy)]
pub struct ListView<'a> {
    /// Index of the first element of each chunk of rows, a multiple of 64, and at the end that of all.
    pub starts: &'a [u64],
    /// Elements of each chunk, without those that fill up to a multiple of 64.
    pub lengths: &'a [u32],
    /// One bit an element: it is the last of its row.
    pub last: &'a [u64],
    /// One bit a row: it has an element. Chunks of rows are whole words.
    pub filled: &'a [u64],
}

impl ColumnView<'_> {
    /// How many rows have a code, of a list in some element; none where that is not counted for each code.
    #[must_use]
    pub fn count(&self, code: u32) -> Option<u32> {
        let counts = self.counts?;
        let at = (code as usize).checked_sub(1);
        Some(at.and_then(|at| counts.get(at)).copied().unwrap_or(0))
    }

    /// Whether some row or element has a code of the dictionary, which other columns may share; where there are no counts and more than
    /// [`CHUNK_ROWS`] places, whether it may be so.
    #[must_use]
    pub fn may_have(&self, code: u32) -> bool {
        match self.count(code) {
            Some(count) => count > 0,
            None => code > 0 && (self.codes.len() > CHUNK_ROWS as usize || self.codes.has(code)),
        }
    }
}

impl Codes<'_> {
    fn has(&self, code: u32) -> bool {
        match self {
            Self::Absent => false,
            Self::U8(codes) => u8::try_from(code).is_ok_and(|code| codes.contains(&code)),
            Self::U16(codes) => u16::try_from(code).is_ok_and(|code| codes.contains(&code)),
            Self::U32(codes) => codes.contains(&code),
        }
    }

    /// How many codes there are; none for an absent column.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Absent => 0,
            Self::U8(codes) => codes.len(),
            Self::U16(codes) => codes.len(),
            Self::U32(codes) => codes.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row or element, 0 where there is none. A damaged file may hold codes without a value.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> u32 {
        match self {
            Self::Absent => 0,
            Self::U8(codes) => codes.get(place).map_or(0, |code| u32::from(*code)),
            Self::U16(codes) => codes.get(place).map_or(0, |code| u32::from(*code)),
            Self::U32(codes) => codes.get(place).copied().unwrap_or(0),
        }
    }
}

impl Dictionary<'_> {
    /// How many values there are; codes are 1 to this.
    #[must_use]
    pub fn len(&self) -> u32 {
        let len = match self {
            Self::Text(texts) => return texts.len,
            Self::Id(ids) => ids.len(),
            Self::Integer(numbers) => numbers.len(),
            Self::Number(numbers) => numbers.len(),
            Self::Boolean => 2,
        };
        u32::try_from(len).unwrap_or(u32::MAX)
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> Hosts<'a> {
    /// The hosts, sorted. The last block may have fewer than it says: those codes have no text.
    #[must_use]
    pub fn dictionary(&self) -> TextDictionary<'a> {
        let blocks = u32::try_from(self.blocks.len().saturating_sub(1)).unwrap_or(0);
        TextDictionary {
            len: blocks.saturating_mul(BLOCK_ENTRIES),
            blocks: self.blocks,
            bytes: self.bytes,
            ..TextDictionary::default()
        }
    }
}

impl ListView<'_> {
    /// Elements of all chunks, with those that fill up to a multiple of 64: as many codes has each column of the list.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }
}
