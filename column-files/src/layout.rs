//! The bytes of a file: sections at multiples of [`ALIGNMENT`], then a footer that says where they are.
//!
//! ```text
//! section 0 | zeros up to 64 | section 1 | … | zeros up to 64 | footer (384 bytes)
//! footer: offset and bytes of eight sections; role, width, kind; rows; values; name; dictionary; format; magic
//! ```
//!
//! The table stands at the end because sizes are known only when a file has been written once through. Numbers are
//! little endian. Which sections a file has is said by [`Role`].

use events_schema::record::RecordKind;

#[cfg(target_endian = "big")]
compile_error!("numbers are written and mapped as they are in memory, which must be little endian");

/// Where sections begin, so that typed views of a map are aligned.
pub(crate) const ALIGNMENT: u64 = 64;
/// Sections of a file at most.
pub(crate) const SECTIONS: usize = 8;
/// Bytes of the footer.
pub(crate) const FOOTER_BYTES: usize = 384;
/// The last eight bytes of every file.
const MAGIC: [u8; 8] = *b"ROSTER\xF1\n";
/// Where the two names stand in the footer, and how long they may be.
const NAMES_AT: [usize; 2] = [160, 256];
const NAME_BYTES: usize = 96;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Texts: blocks, `u64` begin of each block, slices of trigrams (none of a small dictionary); of e-mail addresses also the code of each
    /// one's host, the blocks of the hosts, `u64` begin of each of those.
    Texts = 1,
    /// UUIDs of 16 bytes.
    Ids = 2,
    /// `i64`.
    Integers = 3,
    /// `f64`.
    Numbers = 4,
    /// A column: codes, counts, bits of derived hashes, fingerprints of derived hashes, repeated codes with their counts.
    Column = 5,
    /// A list: `u64` starts, `u32` lengths, last bits, filled bits.
    List = 6,
}

impl Role {
    const ALL: [Self; 6] = [
        Self::Texts,
        Self::Ids,
        Self::Integers,
        Self::Numbers,
        Self::Column,
        Self::List,
    ];
}

/// Sections of a text dictionary.
pub(crate) mod texts {
    pub(crate) const BYTES: usize = 0;
    pub(crate) const BLOCKS: usize = 1;
    pub(crate) const TRIGRAMS: usize = 2;
    pub(crate) const HOST_CODES: usize = 3;
    pub(crate) const HOST_BYTES: usize = 4;
    pub(crate) const HOST_BLOCKS: usize = 5;
}

/// Sections of a column.
pub(crate) mod column {
    pub(crate) const CODES: usize = 0;
    pub(crate) const COUNTS: usize = 1;
    pub(crate) const DERIVED: usize = 2;
    pub(crate) const FINGERPRINTS: usize = 3;
    pub(crate) const REPEATED: usize = 4;
}

/// Sections of a list.
pub(crate) mod list {
    pub(crate) const STARTS: usize = 0;
    pub(crate) const LENGTHS: usize = 1;
    pub(crate) const LAST: usize = 2;
    pub(crate) const FILLED: usize = 3;
}

/// One section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Section {
    /// Where it begins in the file.
    pub(crate) offset: u64,
    /// How long it is.
    pub(crate) bytes: u64,
}

/// What stands at the end of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) role: Role,
    /// Of a column: bytes of a code.
    pub(crate) width: u8,
    pub(crate) kind: RecordKind,
    /// Records of the build.
    pub(crate) rows: u32,
    /// Values of a dictionary, codes of a column, elements of a list.
    pub(crate) values: u64,
    /// The file's own name, so that no file can stand for another.
    pub(crate) name: String,
    /// Of a column: the file of its dictionary, empty for booleans.
    pub(crate) dictionary: String,
    pub(crate) sections: [Section; SECTIONS],
}

impl Footer {
    /// The bytes; names have room, as a test over the catalogue shows.
    pub(crate) fn encode(&self, format: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FOOTER_BYTES);
        for section in self.sections {
            bytes.extend_from_slice(&section.offset.to_le_bytes());
            bytes.extend_from_slice(&section.bytes.to_le_bytes());
        }
        bytes.extend_from_slice(&[self.role as u8, self.width, kind_code(self.kind), 0]);
        bytes.extend_from_slice(&self.rows.to_le_bytes());
        bytes.extend_from_slice(&self.values.to_le_bytes());
        for (name, at) in [&self.name, &self.dictionary].into_iter().zip(NAMES_AT) {
            bytes.resize(at, 0);
            let name = name.as_bytes();
            bytes.extend_from_slice(name.get(..NAME_BYTES).unwrap_or(name));
        }
        bytes.resize(FOOTER_BYTES - 16, 0);
        bytes.extend_from_slice(&u64::from(format).to_le_bytes());
        bytes.extend_from_slice(&MAGIC);
        bytes
    }

    /// Reads it again; `length` is that of the whole file.
    pub(crate) fn decode(bytes: &[u8], length: u64, format: u32) -> Result<Self, &'static str> {
        const SHORT: &str = "its footer is cut short";
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 8).ok_or(SHORT)?;
            Ok::<_, &'static str>(u64::from_le_bytes(bytes.try_into().map_err(|_| SHORT)?))
        };
        if bytes.len() != FOOTER_BYTES || bytes.get(FOOTER_BYTES - 8..) != Some(&MAGIC) {
            return Err("it is not a search file");
        }
        if number(FOOTER_BYTES - 16)? != u64::from(format) {
            return Err("it has another format than the manifest");
        }
        let mut sections = [Section::default(); SECTIONS];
        for (at, section) in sections.iter_mut().enumerate() {
            (section.offset, section.bytes) = (number(at * 16)?, number(at * 16 + 8)?);
            let end = section.offset.checked_add(section.bytes);
            if !section.offset.is_multiple_of(ALIGNMENT) || end.is_none_or(|end| end > length) {
                return Err("a section is not inside the file");
            }
        }
        let at = SECTIONS * 16;
        let [role, width, kind, ..] = number(at)?.to_le_bytes();
        let rows = bytes
            .get(at + 4..at + 8)
            .and_then(|rows| rows.try_into().ok());
        let [name, dictionary] = NAMES_AT.map(|at| {
            let name = bytes.get(at..at + NAME_BYTES).unwrap_or(&[]);
            let end = name
                .iter()
                .position(|byte| *byte == 0)
                .unwrap_or(name.len());
            String::from_utf8_lossy(name.get(..end).unwrap_or(name)).into_owned()
        });
        Ok(Self {
            role: Role::ALL
                .into_iter()
                .find(|known| *known as u8 == role)
                .ok_or("it holds something unknown")?,
            width,
            kind: RecordKind::ALL
                .into_iter()
                .find(|known| kind_code(*known) == kind)
                .ok_or("it is of an unknown kind of record")?,
            rows: u32::from_le_bytes(rows.ok_or(SHORT)?),
            values: number(at + 8)?,
            name,
            dictionary,
            sections,
        })
    }
}

const fn kind_code(kind: RecordKind) -> u8 {
    match kind {
        RecordKind::Person => 1,
        RecordKind::Company => 2,
    }
}

/// Name of the file of a column; the keys of a map (`….*`) are called `….key`.
pub(crate) fn column_file(path: &str) -> String {
    format!("{}.column", path.replace('*', "key"))
}

/// Name of the file of a list.
pub(crate) fn list_file(path: &str) -> String {
    format!("{path}.list")
}

/// Name of the file of the values that a group of columns shares.
pub(crate) fn dictionary_file(group: &str) -> String {
    format!("{}.values", group.replace('*', "key"))
}

/// Whether a file of this name may have been left by a writer, or is the manifest beside its files.
pub(crate) fn is_ours(name: &str) -> bool {
    name == "manifest.json"
        || [".column", ".list", ".values"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Rounds up to where a section may begin.
pub(crate) const fn aligned(offset: u64) -> u64 {
    offset.next_multiple_of(ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footer_is_read_as_it_was_written() {
        let footer = Footer {
            role: Role::Column,
            width: 2,
            kind: RecordKind::Company,
            rows: 7,
            values: 1 << 40,
            name: "work_email.column".to_owned(),
            dictionary: "email.values".to_owned(),
            sections: [Section {
                offset: 128,
                bytes: 9,
            }; SECTIONS],
        };
        let bytes = footer.encode(1);
        assert_eq!(bytes.len(), FOOTER_BYTES);
        assert_eq!(Footer::decode(&bytes, 1_000, 1), Ok(footer));
        assert!(
            Footer::decode(&bytes, 130, 1).is_err() && Footer::decode(&bytes, 1_000, 2).is_err()
        );
    }

    #[test]
    fn the_names_of_all_files_have_room() {
        for kind in RecordKind::ALL {
            let catalog = dialect::Catalog::of(kind);
            let columns = catalog
                .columns()
                .iter()
                .flat_map(|column| [column_file(&column.path), dictionary_file(&column.path)]);
            for name in columns.chain(catalog.lists().iter().map(|list| list_file(&list.path))) {
                assert!(name.len() <= NAME_BYTES && is_ours(&name), "{name}");
            }
        }
    }
}
