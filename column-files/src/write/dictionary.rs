//! The file of the distinct values of a group.

use std::path::Path;

use dialect::ValueType;
use events_schema::record::RecordKind;

use super::WriteFault;
use super::encode::{integer_of, number_of};
use super::file::FileWriter;
use super::signatures::Signatures;
use crate::layout::{Footer, Role, SECTIONS, Section, texts};
use crate::manifest::FileEntry;
use crate::view::{BLOCK_ENTRIES, TAIL_END};

/// A dictionary of fewer blocks is gone through as fast without signatures.
const SIGNED_BLOCKS: usize = 64;

/// A dictionary that is being written.
#[derive(Debug)]
pub(super) struct DictionaryWriter {
    file: FileWriter,
    role: Role,
    len: u32,
    /// Texts of the block that is being collected, and where each ends.
    block: Vec<u8>,
    ends: Vec<usize>,
    /// Where each block begins.
    blocks: Vec<u64>,
    bytes: u64,
    buffer: Vec<u8>,
    signatures: Signatures,
}

impl DictionaryWriter {
    pub(super) fn create(folder: &Path, name: &str, role: Role) -> Result<Self, WriteFault> {
        let mut file = FileWriter::create(folder, name.to_owned())?;
        file.begin(0);
        Ok(Self {
            file,
            role,
            len: 0,
            block: Vec::new(),
            ends: Vec::new(),
            blocks: vec![0],
            bytes: 0,
            buffer: Vec::new(),
            signatures: Signatures::new(),
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
                self.block.extend_from_slice(value);
                self.ends.push(self.block.len());
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
        if !self.ends.is_empty() {
            self.end_block()?;
        }
        self.file.end(0);
        if self.role == Role::Texts {
            self.file
                .section(texts::BLOCKS, bytemuck::cast_slice(&self.blocks))?;
            if self.blocks.len() > SIGNED_BLOCKS {
                self.write_slices()?;
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

    /// Writes the texts collected: what the first and the last begin with is what all begin with.
    fn end_block(&mut self) -> Result<(), WriteFault> {
        let text = |from: usize, to: usize| self.block.get(from..to).unwrap_or(&[]);
        let first = text(0, self.ends.first().copied().unwrap_or(0));
        let before_last = self.ends.iter().rev().nth(1).copied().unwrap_or(0);
        let last = text(before_last, self.block.len());
        let common = first.iter().zip(last).take_while(|(a, b)| a == b).count();
        let common = u16::try_from(common).unwrap_or(u16::MAX);
        let prefix = usize::from(common);
        self.buffer.clear();
        self.buffer.extend_from_slice(&common.to_le_bytes());
        self.buffer
            .extend_from_slice(first.get(..prefix).unwrap_or(&[]));
        let mut start = 0;
        for end in &self.ends {
            self.buffer.extend_from_slice(text(start + prefix, *end));
            self.buffer.push(TAIL_END);
            self.signatures.add(text(start, *end));
            start = *end;
        }
        self.signatures.end_block();
        self.file.write(&self.buffer)?;
        self.bytes += u64::try_from(self.buffer.len()).unwrap_or(0);
        self.blocks.push(self.bytes);
        self.block.clear();
        self.ends.clear();
        Ok(())
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
