//! The file of the distinct values of a group.

use std::path::Path;

use dialect::ValueType;
use events_schema::record::RecordKind;

use super::WriteFault;
use super::encode::{integer_of, number_of};
use super::file::FileWriter;
use super::hosts::{HostCodes, Texts};
use super::signatures::Signatures;
use crate::layout::{Footer, Role, SECTIONS, Section, texts};
use crate::manifest::FileEntry;
use crate::view::{BLOCK_ENTRIES, TAIL_END};

/// A dictionary of fewer blocks is gone through as fast without signatures and hosts.
const SIGNED_BLOCKS: usize = 64;

/// A dictionary that is being written.
#[derive(Debug)]
pub(super) struct DictionaryWriter {
    file: FileWriter,
    role: Role,
    len: u32,
    /// The block that is being collected.
    block: Texts,
    /// Where each block begins.
    blocks: Vec<u64>,
    bytes: u64,
    buffer: Vec<u8>,
    signatures: Signatures,
    hosts: HostCodes,
}

/// Adds a block of texts: what the first and the last begin with is what all begin with.
fn encode(texts: &Texts, into: &mut Vec<u8>) {
    let (first, last) = (texts.get(0), texts.get(texts.len().saturating_sub(1)));
    let common = first.iter().zip(last).take_while(|(a, b)| a == b).count();
    let common = u16::try_from(common).unwrap_or(u16::MAX);
    let prefix = usize::from(common);
    into.extend_from_slice(&common.to_le_bytes());
    into.extend_from_slice(first.get(..prefix).unwrap_or(&[]));
    for text in texts.iter() {
        into.extend_from_slice(text.get(prefix..).unwrap_or(&[]));
        into.push(TAIL_END);
    }
}

impl DictionaryWriter {
    pub(super) fn create(folder: &Path, name: &str, role: Role) -> Result<Self, WriteFault> {
        let mut file = FileWriter::create(folder, name.to_owned())?;
        file.begin(0);
        Ok(Self {
            file,
            role,
            len: 0,
            block: Texts::default(),
            blocks: vec![0],
            bytes: 0,
            buffer: Vec::new(),
            signatures: Signatures::new(),
            hosts: HostCodes::new(),
        })
    }

    /// Adds the next greater value and says its code.
    pub(super) fn push(&mut self, value: &[u8]) -> Result<u32, WriteFault> {
        self.len = self
            .len
            .checked_add(1)
            .filter(|len| *len < u32::MAX)
            .ok_or(WriteFault::TooMany(u64::from(u32::MAX)))?;
        let eight = || value.first_chunk().copied().unwrap_or_default();
        match self.role {
            Role::Texts => {
                self.block.push(value);
                if self.len.is_multiple_of(BLOCK_ENTRIES) {
                    self.end_block()?;
                }
            }
            Role::Integers => self.file.write(&integer_of(eight()).to_le_bytes())?,
            Role::Numbers => self.file.write(&number_of(eight()).to_le_bytes())?,
            // 16 bytes as they are; columns and lists are no dictionaries.
            Role::Ids | Role::Column | Role::List => self.file.write(value)?,
        }
        Ok(self.len)
    }

    /// Ends the file.
    pub(super) fn finish(mut self, kind: RecordKind, rows: u32) -> Result<FileEntry, WriteFault> {
        if self.block.len() > 0 {
            self.end_block()?;
        }
        self.file.end(0);
        if self.role == Role::Texts {
            self.file
                .section(texts::BLOCKS, bytemuck::cast_slice(&self.blocks))?;
            if self.blocks.len() > SIGNED_BLOCKS {
                self.write_slices()?;
                self.write_hosts()?;
            }
        }
        Ok(self.file.finish(Footer {
            role: self.role,
            width: 0,
            kind,
            rows,
            values: u64::from(self.len),
            name: String::new(),
            dictionary: String::new(),
            sections: [Section::default(); SECTIONS],
        })?)
    }

    fn write_slices(&mut self) -> Result<(), WriteFault> {
        self.file.begin(texts::TRIGRAMS);
        for slice in self.signatures.slices() {
            self.buffer.clear();
            self.buffer.extend(slice.flat_map(u64::to_le_bytes));
            self.file.write(&self.buffer)?;
        }
        self.file.end(texts::TRIGRAMS);
        Ok(())
    }

    fn write_hosts(&mut self) -> Result<(), WriteFault> {
        let hosts = std::mem::replace(&mut self.hosts, HostCodes::new());
        let Some(hosts) = hosts.finish() else {
            return Ok(());
        };
        self.file
            .section(texts::HOST_CODES, bytemuck::cast_slice(&hosts.codes))?;
        let (mut blocks, mut bytes) = (vec![0u64], 0);
        self.file.begin(texts::HOST_BYTES);
        for (at, host) in hosts.texts.iter().enumerate() {
            self.block.push(host);
            if self.block.len() == BLOCK_ENTRIES as usize || at + 1 == hosts.texts.len() {
                bytes += self.write_block()?;
                blocks.push(bytes);
            }
        }
        self.file.end(texts::HOST_BYTES);
        self.file
            .section(texts::HOST_BLOCKS, bytemuck::cast_slice(&blocks))?;
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), WriteFault> {
        for text in self.block.iter() {
            self.signatures.add(text);
            self.hosts.add(text);
        }
        self.signatures.end_block();
        self.bytes += self.write_block()?;
        self.blocks.push(self.bytes);
        Ok(())
    }

    /// Writes the texts collected; says how many bytes they took.
    fn write_block(&mut self) -> Result<u64, WriteFault> {
        self.buffer.clear();
        encode(&self.block, &mut self.buffer);
        self.block.clear();
        self.file.write(&self.buffer)?;
        Ok(u64::try_from(self.buffer.len()).unwrap_or(0))
    }
}

/// What the file of a group's values holds.
pub(super) const fn role_of(value: ValueType, all_uuids: bool) -> Role {
    match value {
        ValueType::Integer => Role::Integers,
        ValueType::Number => Role::Numbers,
        ValueType::Id if all_uuids => Role::Ids,
        // Booleans have no dictionary.
        ValueType::Text | ValueType::Date | ValueType::Id | ValueType::Boolean => Role::Texts,
    }
}
