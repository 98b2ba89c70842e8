//! Opening the files of a build: digests checked, layout checked, then mapped.
//!
//! What is checked when opening: every byte of every file against the manifest; that each column and list of the
//! catalogue has the sections of its form, of the lengths that the rows ask for. What is checked at each access, because
//! it would make everything resident: that a code has a value ([`crate::view`]). So arbitrary bytes with a fitting
//! manifest may give senseless values, but neither a panic nor a loop without end.

mod count;
mod map;
mod stored;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dialect::{Catalog, ColumnId, ListId, ValueType};
use events_schema::record::RecordKind;

use self::stored::Stored;
use crate::layout::{self, Role, column, list, texts};
use crate::manifest::{FORMAT, FileEntry, Manifest};
use crate::view::{
    CHUNK_ROWS, Codes, ColumnView, DerivedHashes, Dictionary, HashAlgorithm, Hosts, ListView,
    TextDictionary, trigrams::SLICES,
};

/// Threads that compare digests: enough for a disk, and few enough to leave cores to the service.
const THREADS: usize = 4;

/// Why files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenFault {
    /// Missing, cut short, or other bytes than the manifest names. Fetching it again may help.
    #[error("the search file {file} is damaged: {why}")]
    Damaged {
        /// Its name.
        file: String,
        /// What is wrong.
        why: &'static str,
    },
    /// The disk.
    #[error("the search file {file} cannot be read")]
    Io {
        /// Its name.
        file: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Written by another version.
    #[error("the search files have format {0}, and this version reads format {FORMAT}", FORMAT = crate::manifest::FORMAT)]
    Format(u32),
}

/// The files of one build, checked and mapped.
#[derive(Debug)]
pub struct Columns {
    kind: RecordKind,
    rows: u32,
    files: Vec<Stored>,
    /// Of each column of the catalogue.
    columns: Vec<Parts>,
    /// Of each list of the catalogue: its file.
    lists: Vec<usize>,
}

/// Where a column stands in `files`: nothing for a column without any value.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    codes: Option<usize>,
    dictionary: Option<usize>,
}

impl Columns {
    /// Opens the files that `manifest` names in `folder`. Reads all of them: about a second for two gigabytes a core.
    ///
    /// # Errors
    /// A file that is not what it should be; of several the first, in the order of the manifest, that was seen.
    pub fn open(folder: &Path, manifest: &Manifest) -> Result<Self, OpenFault> {
        if manifest.format != FORMAT {
            return Err(OpenFault::Format(manifest.format));
        }
        let files = stored(folder, manifest)?;
        let find = |name: &str| manifest.files.iter().position(|entry| entry.name == name);
        let catalog = Catalog::of(manifest.kind);
        let mut columns = Self {
            kind: manifest.kind,
            rows: manifest.rows,
            files,
            columns: Vec::new(),
            lists: Vec::new(),
        };
        for list in catalog.lists() {
            let name = layout::list_file(&list.path);
            let missing = OpenFault::Damaged {
                file: name.clone(),
                why: "the manifest does not name it",
            };
            let place = find(&name).ok_or(missing)?;
            columns
                .check_list(place)
                .map_err(|why| OpenFault::Damaged { file: name, why })?;
            columns.lists.push(place);
        }
        for at in 0..catalog.columns().len() {
            let parts = columns.parts(at, find)?;
            columns.columns.push(parts);
        }
        Ok(columns)
    }

    /// Person or company.
    #[must_use]
    pub const fn kind(&self) -> RecordKind {
        self.kind
    }

    /// How many records.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// A column.
    #[must_use]
    pub fn column(&self, column: ColumnId) -> ColumnView<'_> {
        let place = usize::from(column.0);
        let parts = self.columns.get(place).copied().unwrap_or_default();
        let of = Catalog::of(self.kind).columns().get(place);
        let value = of.map_or(ValueType::Text, |column| column.value);
        let dictionary = parts.dictionary.and_then(|file| self.files.get(file));
        let dictionary = dictionary.map_or_else(|| empty(value), dictionary_of);
        let Some(file) = parts.codes.and_then(|file| self.files.get(file)) else {
            return ColumnView {
                dictionary,
                codes: Codes::Absent,
                counts: None,
                repeated: &[],
                derived: None,
            };
        };
        let counts = file.section::<u32>(column::COUNTS);
        let algorithm = of.and_then(|column| hash_algorithm(&column.path));
        let is_derived = file.section::<u64>(column::DERIVED);
        ColumnView {
            dictionary,
            codes: match file.footer.width {
                1 => Codes::U8(file.section(column::CODES)),
                2 => Codes::U16(file.section(column::CODES)),
                4 => Codes::U32(file.section(column::CODES)),
                _ => Codes::Absent,
            },
            counts: Some(counts).filter(|counts| !counts.is_empty()),
            repeated: file.section(column::REPEATED),
            derived: algorithm
                .filter(|_| !is_derived.is_empty())
                .map(|algorithm| DerivedHashes {
                    algorithm,
                    is_derived,
                    fingerprints: file.section(column::FINGERPRINTS),
                }),
        }
    }

    /// A list.
    #[must_use]
    pub fn list(&self, list: ListId) -> ListView<'_> {
        let file = self
            .lists
            .get(usize::from(list.0))
            .and_then(|file| self.files.get(*file));
        file.map_or(
            ListView {
                starts: &[],
                lengths: &[],
                last: &[],
                filled: &[],
            },
            list_of,
        )
    }

    /// The files of a column, checked.
    fn parts(&self, at: usize, find: impl Fn(&str) -> Option<usize>) -> Result<Parts, OpenFault> {
        let catalog = Catalog::of(self.kind);
        let Some(of) = catalog.columns().get(at) else {
            return Ok(Parts::default());
        };
        let name = layout::column_file(&of.path);
        let Some(codes) = find(&name) else {
            return Ok(Parts::default());
        };
        let damaged = |why| OpenFault::Damaged {
            file: name.clone(),
            why,
        };
        let file = self
            .files
            .get(codes)
            .ok_or_else(|| damaged("it is missing"))?;
        let list = of.place.list().map(|list| self.list(list));
        let elements = list.map_or(u64::from(self.rows), |list| list.elements());
        let dictionary = match file.footer.dictionary.as_str() {
            "" => None,
            named => {
                Some(find(named).ok_or_else(|| damaged("the manifest does not name its values"))?)
            }
        };
        let values = match dictionary.and_then(|place| self.files.get(place)) {
            Some(values) => check_dictionary(values, of.value).map_err(damaged)?,
            None if of.value == ValueType::Boolean => 2,
            None => 0,
        };
        check_column(file, elements, values).map_err(damaged)?;
        if !file.section::<u64>(column::DERIVED).is_empty() {
            let addresses = catalog
                .find("emails.address")
                .map(|address| self.column(address).dictionary.len());
            let prints = u64::from(addresses.unwrap_or(0));
            let is_whole = file.has::<u64>(column::DERIVED, elements.div_ceil(64))
                && file.has::<u16>(column::FINGERPRINTS, prints);
            if !is_whole || hash_algorithm(&of.path).is_none() {
                return Err(damaged("its derived hashes do not fit its addresses"));
            }
        }
        Ok(Parts {
            codes: Some(codes),
            dictionary,
        })
    }

    fn check_list(&self, place: usize) -> Result<(), &'static str> {
        let file = self.files.get(place).ok_or("it is missing")?;
        let (rows, elements) = (u64::from(self.rows), file.footer.values);
        let chunks = rows.div_ceil(u64::from(CHUNK_ROWS));
        if file.footer.role != Role::List
            || !file.has::<u64>(list::STARTS, chunks + 1)
            || !file.has::<u32>(list::LENGTHS, chunks)
            || !file.has::<u64>(list::LAST, elements.div_ceil(64))
            || !file.has::<u64>(list::FILLED, rows.div_ceil(64))
        {
            return Err("its sections do not fit its rows");
        }
        let view = list_of(file);
        let mut start = 0;
        let chunks = view.lengths.iter().zip(view.starts.windows(2));
        for (length, bounds) in chunks {
            let &[from, to] = bounds else {
                return Err("a chunk has no bounds");
            };
            let is_next = from == start && to.is_multiple_of(64);
            if !is_next
                || to
                    .checked_sub(from)
                    .is_none_or(|room| u64::from(*length).next_multiple_of(64) != room)
            {
                return Err("its chunks do not follow one another");
            }
            start = to;
        }
        if start != elements {
            Err("it has another number of elements")
        } else {
            Ok(())
        }
    }
}

/// All files of the manifest, compared and mapped by a few threads.
fn stored(folder: &Path, manifest: &Manifest) -> Result<Vec<Stored>, OpenFault> {
    // The largest first, so that no thread is left with one at the end.
    let mut order: Vec<(usize, &FileEntry)> = manifest.files.iter().enumerate().collect();
    order.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.bytes));
    let (next, opened) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((place, entry)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let file = Stored::open(folder, entry, manifest);
            let has_failed = file.is_err();
            opened
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .push((*place, file));
            if has_failed {
                // The others need not read what is of no use any more.
                next.store(order.len(), Ordering::Relaxed);
            }
        }
    };
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(THREADS);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut opened = opened
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    opened.sort_by_key(|(place, _)| *place);
    opened.into_iter().map(|(_, file)| file).collect()
}

fn list_of(file: &Stored) -> ListView<'_> {
    ListView {
        starts: file.section(list::STARTS),
        lengths: file.section(list::LENGTHS),
        last: file.section(list::LAST),
        filled: file.section(list::FILLED),
    }
}

fn dictionary_of(file: &Stored) -> Dictionary<'_> {
    match file.footer.role {
        Role::Ids => Dictionary::Id(file.section(0)),
        Role::Integers => Dictionary::Integer(file.section(0)),
        Role::Numbers => Dictionary::Number(file.section(0)),
        Role::Texts | Role::Column | Role::List => Dictionary::Text(TextDictionary {
            len: u32::try_from(file.footer.values).unwrap_or(0),
            blocks: file.section(texts::BLOCKS),
            bytes: file.section(texts::BYTES),
            trigrams: file.section(texts::TRIGRAMS),
            hosts: hosts_of(file),
        }),
    }
}

fn hosts_of(file: &Stored) -> Option<Hosts<'_>> {
    let hosts = Hosts {
        codes: file.section(texts::HOST_CODES),
        blocks: file.section(texts::HOST_BLOCKS),
        bytes: file.section(texts::HOST_BYTES),
    };
    (!hosts.codes.is_empty()).then_some(hosts)
}

/// The dictionary of a column without values.
const fn empty(value: ValueType) -> Dictionary<'static> {
    match value {
        ValueType::Integer => Dictionary::Integer(&[]),
        ValueType::Number => Dictionary::Number(&[]),
        ValueType::Boolean => Dictionary::Boolean,
        ValueType::Id => Dictionary::Id(&[]),
        ValueType::Text | ValueType::Date => Dictionary::Text(TextDictionary {
            len: 0,
            blocks: &[],
            bytes: &[],
            trigrams: &[],
            hosts: None,
        }),
    }
}

/// Whether a file holds values of this type; how many.
fn check_dictionary(file: &Stored, value: ValueType) -> Result<u32, &'static str> {
    let values = file.footer.values;
    let len = u32::try_from(values)
        .ok()
        .filter(|len| *len < u32::MAX)
        .ok_or("it has too many values")?;
    let is_whole = match (file.footer.role, value) {
        (Role::Texts, ValueType::Text | ValueType::Date | ValueType::Id) => {
            let blocks = u64::from(len.div_ceil(crate::view::BLOCK_ENTRIES));
            let slices = SLICES as u64 * blocks.div_ceil(64);
            file.has::<u64>(texts::BLOCKS, blocks + 1)
                && (file.has::<u64>(texts::TRIGRAMS, 0) || file.has::<u64>(texts::TRIGRAMS, slices))
                && has_hosts_or_none(file, blocks)
        }
        (Role::Ids, ValueType::Id) => file.has::<[u8; 16]>(0, values),
        (Role::Integers, ValueType::Integer) => file.has::<i64>(0, values),
        (Role::Numbers, ValueType::Number) => file.has::<f64>(0, values),
        _ => return Err("its values are of another type"),
    };
    if is_whole {
        Ok(len)
    } else {
        Err("its values do not fit their number")
    }
}

/// Every text has a code, and there are no more hosts than texts.
fn has_hosts_or_none(file: &Stored, blocks: u64) -> bool {
    if file.has::<u32>(texts::HOST_CODES, 0) {
        return file.has::<u64>(texts::HOST_BLOCKS, 0) && file.has::<u8>(texts::HOST_BYTES, 0);
    }
    let starts = file.section::<u64>(texts::HOST_BLOCKS).len() as u64;
    file.has::<u32>(texts::HOST_CODES, file.footer.values)
        && file.has::<u64>(texts::HOST_BLOCKS, starts)
        && (2..=blocks + 1).contains(&starts)
}

fn check_column(file: &Stored, elements: u64, values: u32) -> Result<(), &'static str> {
    let is_whole = match file.footer.width {
        0 => file.has::<u8>(column::CODES, 0),
        1 => file.has::<u8>(column::CODES, elements),
        2 => file.has::<u16>(column::CODES, elements),
        4 => file.has::<u32>(column::CODES, elements),
        _ => false,
    };
    let is_counted =
        file.has::<u32>(column::COUNTS, u64::from(values)) || file.has::<u32>(column::COUNTS, 0);
    let is_wide_enough = match file.footer.width {
        1 => values <= u32::from(u8::MAX),
        2 => values <= u32::from(u16::MAX),
        _ => true,
    };
    if file.footer.role == Role::Column
        && file.footer.values == elements
        && is_whole
        && is_wide_enough
        && is_counted
    {
        return Ok(());
    }
    Err("its codes do not fit its rows")
}

fn hash_algorithm(path: &str) -> Option<HashAlgorithm> {
    match path {
        "emails.hash_sha256" => Some(HashAlgorithm::Sha256),
        "emails.hash_sha1" => Some(HashAlgorithm::Sha1),
        "emails.hash_md5" => Some(HashAlgorithm::Md5),
        _ => None,
    }
}
