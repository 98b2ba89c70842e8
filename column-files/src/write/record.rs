//! One document into the streams of its columns.

use std::collections::HashSet;
use std::path::Path;

use dialect::{Catalog, Place, ValueType};
use events_schema::record::RecordKind;

use super::WriteFault;
use super::encode::{TEXT_TAG, UUID_TAG, folded, integer, sortable_integer, sortable_number, uuid};
use super::groups::Group;
use super::list::{Bits, Elements};
use super::plan::{HashPart, Leaf, Node};
use super::scanner::{Malformed, Scanner};
use super::spool::Codes;
use super::values::Values;
use crate::email_hash;

/// Why a document was not taken.
#[derive(Debug)]
pub(super) enum Stop {
    Malformed,
    Fault(WriteFault),
}

impl From<Malformed> for Stop {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

impl From<WriteFault> for Stop {
    fn from(fault: WriteFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Fault(error.into())
    }
}

type Result<T> = std::result::Result<T, Stop>;

/// A column while rows come in.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) codes: Codes,
    /// Its group; none for booleans.
    pub(super) group: Option<usize>,
    pub(super) list: Option<usize>,
}

/// Everything that rows are put into.
#[derive(Debug)]
pub(super) struct Sink {
    pub(super) columns: Vec<Column>,
    pub(super) values: Vec<Values>,
    pub(super) lists: Vec<Elements>,
    /// Of each kind of e-mail hash: the elements whose hash is that of their address.
    pub(super) derived: [Bits; email_hash::ALL.len()],
    /// What all groups together may still keep, in bytes.
    budget: usize,
    email: Email,
    /// Forms of the name that the record has so far.
    forms: HashSet<Vec<u8>>,
    scratch: Vec<u8>,
}

/// Address and hashes of the e-mail that is being read.
#[derive(Debug, Default)]
struct Email {
    address: Option<Vec<u8>>,
    hashes: [Option<(usize, Vec<u8>)>; email_hash::ALL.len()],
    expected: Vec<u8>,
}

impl Sink {
    pub(super) fn new(kind: RecordKind, groups: &[Group], spool: &Path, budget: usize) -> Self {
        let catalog = Catalog::of(kind);
        let column = |at: usize, place: Place| Column {
            codes: Codes::new(spool.join(format!("codes-{at}.spool"))),
            group: groups.iter().position(|group| group.columns.contains(&at)),
            list: place.list().map(|list| usize::from(list.0)),
        };
        let values = |at: usize| Values::new(spool.join(format!("values-{at}.spool")));
        Self {
            columns: catalog
                .columns()
                .iter()
                .enumerate()
                .map(|(at, one)| column(at, one.place))
                .collect(),
            values: (0..groups.len()).map(values).collect(),
            lists: catalog.lists().iter().map(|_| Elements::new()).collect(),
            derived: Default::default(),
            budget,
            email: Email::default(),
            forms: HashSet::new(),
            scratch: Vec::new(),
        }
    }

    /// Takes the document of row `row`.
    pub(super) fn push(
        &mut self,
        plan: &[(String, Node)],
        document: &[u8],
        row: u32,
    ) -> Result<()> {
        let mut scanner = Scanner::new(document)?;
        self.forms.clear();
        self.object(&mut scanner, plan, u64::from(row))?;
        scanner.end()?;
        for list in &mut self.lists {
            list.end_row(row);
        }
        Ok(())
    }

    fn object(
        &mut self,
        scanner: &mut Scanner<'_>,
        fields: &[(String, Node)],
        place: u64,
    ) -> Result<()> {
        scanner.expect(b'{')?;
        if scanner.take(b'}')? {
            return Ok(());
        }
        // Keys come in the order of the fields, so that the next one is mostly at hand.
        let mut next = 0;
        loop {
            let key = scanner.key()?;
            let is_key = |(name, _): &(String, Node)| name.as_bytes() == &*key;
            let (before, after) = fields.split_at_checked(next).unwrap_or((fields, &[]));
            let found = match after.iter().position(is_key) {
                Some(at) => Some(next + at),
                None => before.iter().position(is_key),
            };
            match found.and_then(|at| Some((at, fields.get(at)?))) {
                Some((at, (_, node))) => {
                    next = at + 1;
                    self.node(scanner, node, place)?;
                }
                None => scanner.skip()?,
            }
            if !scanner.take(b',')? {
                return Ok(scanner.expect(b'}')?);
            }
        }
    }

    fn node(&mut self, scanner: &mut Scanner<'_>, node: &Node, place: u64) -> Result<()> {
        if scanner.take_null()? {
            return Ok(());
        }
        match node {
            Node::Value(leaf) => self.value(scanner, *leaf, place),
            Node::Object(fields) => self.object(scanner, fields, place),
            Node::Elements { list, fields } => self.elements(scanner, *list, fields),
            Node::Entries { list, key, value } => self.entries(scanner, *list, *key, value),
            Node::NameForm { list, form, leaf } => {
                if scanner.peek()? == b'"' {
                    let text = scanner.string()?;
                    return self.name_form(&text, *list, *form, leaf.map(|leaf| (leaf, place)));
                }
                scanner.expect(b'[')?;
                if scanner.take(b']')? {
                    return Ok(());
                }
                loop {
                    let text = scanner.string()?;
                    self.name_form(&text, *list, *form, None)?;
                    if !scanner.take(b',')? {
                        return Ok(scanner.expect(b']')?);
                    }
                }
            }
        }
    }

    fn elements(
        &mut self,
        scanner: &mut Scanner<'_>,
        list: usize,
        fields: &[(String, Node)],
    ) -> Result<()> {
        scanner.expect(b'[')?;
        if scanner.take(b']')? {
            return Ok(());
        }
        loop {
            let place = self.new_element(list)?;
            self.object(scanner, fields, place)?;
            self.end_email(place)?;
            if !scanner.take(b',')? {
                return Ok(scanner.expect(b']')?);
            }
        }
    }

    fn entries(
        &mut self,
        scanner: &mut Scanner<'_>,
        list: usize,
        key: Leaf,
        value: &Node,
    ) -> Result<()> {
        scanner.expect(b'{')?;
        if scanner.take(b'}')? {
            return Ok(());
        }
        loop {
            let name = scanner.key()?;
            let place = self.new_element(list)?;
            self.text(&name, key, place)?;
            self.node(scanner, value, place)?;
            if !scanner.take(b',')? {
                return Ok(scanner.expect(b'}')?);
            }
        }
    }

    fn new_element(&mut self, list: usize) -> Result<u64> {
        Ok(self.lists.get_mut(list).ok_or(Malformed)?.add())
    }

    /// A form of a name: an element unless the record has it already.
    fn name_form(
        &mut self,
        text: &[u8],
        list: usize,
        form: Leaf,
        leaf: Option<(Leaf, u64)>,
    ) -> Result<()> {
        if let Some((leaf, place)) = leaf {
            self.text(text, leaf, place)?;
        }
        let folded = folded(text)?.into_owned();
        if self.forms.contains(&folded) {
            return Ok(());
        }
        let place = self.new_element(list)?;
        self.text(&folded, form, place)?;
        self.forms.insert(folded);
        Ok(())
    }

    #[inline]
    fn value(&mut self, scanner: &mut Scanner<'_>, leaf: Leaf, place: u64) -> Result<()> {
        match leaf.value {
            ValueType::Text | ValueType::Date | ValueType::Id => {
                let text = scanner.string()?;
                self.text(&text, leaf, place)
            }
            ValueType::Integer => {
                let number = integer(scanner.number()?)?;
                self.put(leaf.column, place, &sortable_integer(number))
            }
            ValueType::Number => {
                let number: f64 = scanner.number()?.parse().map_err(|_| Malformed)?;
                if !number.is_finite() {
                    return Err(Stop::Malformed);
                }
                // Zero has one form: -0.0 would be another value in the order.
                self.put(leaf.column, place, &sortable_number(number + 0.0))
            }
            ValueType::Boolean => {
                let code = 1 + u32::from(scanner.boolean()?);
                self.put_code(leaf.column, place, code)
            }
        }
    }

    #[inline]
    fn text(&mut self, text: &[u8], leaf: Leaf, place: u64) -> Result<()> {
        let text = folded(text)?;
        if leaf.value == ValueType::Id {
            self.scratch.clear();
            match uuid(&text) {
                Some(id) => {
                    self.scratch.push(UUID_TAG);
                    self.scratch.extend_from_slice(&id);
                }
                None => {
                    self.scratch.push(TEXT_TAG);
                    self.scratch.extend_from_slice(&text);
                    self.values_of(leaf.column)?.mark();
                }
            }
            let scratch = std::mem::take(&mut self.scratch);
            let put = self.put(leaf.column, place, &scratch);
            self.scratch = scratch;
            return put;
        }
        match leaf.hash {
            HashPart::None => {}
            HashPart::Address => self.email.address = Some(text.to_vec()),
            HashPart::Hash(kind) => {
                // Whether it is kept is known when the whole element has been read.
                let hash = self.email.hashes.get_mut(kind).ok_or(Malformed)?;
                return match hash.replace((leaf.column, text.into_owned())) {
                    Some(_) => Err(Stop::Malformed),
                    None => Ok(()),
                };
            }
        }
        self.put(leaf.column, place, &text)
    }

    /// Keeps the hashes of an e-mail that are not those of its address.
    fn end_email(&mut self, place: u64) -> Result<()> {
        let address = self.email.address.take();
        for (kind, algorithm) in email_hash::ALL.into_iter().enumerate() {
            let Some((column, hash)) = self.email.hashes.get_mut(kind).and_then(Option::take)
            else {
                continue;
            };
            if let Some(address) = &address {
                email_hash::write_hex(algorithm, address, &mut self.email.expected);
                if self.email.expected == hash {
                    self.derived.get_mut(kind).ok_or(Malformed)?.set(place);
                    continue;
                }
            }
            self.put(column, place, &hash)?;
        }
        Ok(())
    }

    fn values_of(&mut self, column: usize) -> std::result::Result<&mut Values, Malformed> {
        let group = self.columns.get(column).and_then(|column| column.group);
        group
            .and_then(|group| self.values.get_mut(group))
            .ok_or(Malformed)
    }

    #[inline]
    fn put(&mut self, column: usize, place: u64, value: &[u8]) -> Result<()> {
        let mut budget = self.budget;
        let number = self.values_of(column)?.number(value, &mut budget)?;
        self.budget = budget;
        self.put_code(column, place, number)
    }

    #[inline]
    fn put_code(&mut self, column: usize, place: u64, code: u32) -> Result<()> {
        let column = self.columns.get_mut(column).ok_or(Malformed)?;
        // A key that stands twice in an object.
        if column.codes.put(place, code)? {
            Ok(())
        } else {
            Err(Stop::Malformed)
        }
    }
}
