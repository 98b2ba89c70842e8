//! Documents of a build as its rows hold them, and as they are handed out.

use std::time::Duration;

use documents::{Dictionary, Unpacker};
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::ReadFault;
use super::answer::rows_at_hand;
use super::at_hand::AtHand;
use crate::enrich::compared::Compared;

/// A record as its build holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// Place in the build's default order, 1 is first.
    pub rank: u32,
    /// The record.
    pub service_id: Uuid,
    /// Its document: compact JSON, sparse.
    pub json: Vec<u8>,
}

impl StoredDocument {
    /// The part of the document that is compared.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub fn compared(&self) -> Result<Compared, ReadFault> {
        Compared::read(&self.json).map_err(|_| ReadFault::Form("document"))
    }
}

/// The columns of a record, the document still packed.
#[derive(sqlx::FromRow)]
pub(super) struct Row {
    rank: i32,
    service_id: Uuid,
    doc: Vec<u8>,
}

/// Unpacks the rows of one build; the dictionary is read when the build is opened, once.
#[derive(Debug, Default)]
pub(super) struct Opened(OnceCell<Unpacker>);

impl Opened {
    /// Reads the dictionary if nobody did.
    pub(super) async fn unpacker(
        &self,
        connections: &AtHand,
        longest_statement: Duration,
    ) -> Result<&Unpacker, ReadFault> {
        let read = async || {
            let statement = sqlx::query_as(include_str!("../../sql/dictionary.sql"));
            let rows: Vec<(Vec<u8>,)> =
                rows_at_hand(connections, longest_statement, statement).await?;
            // A document that was packed with a dictionary that is not there is an error when it is read.
            let bytes = rows.into_iter().next();
            let dictionary = bytes.map(|(bytes,)| Dictionary::of_bytes(bytes));
            let dictionary = dictionary.unwrap_or_default();
            Ok(Unpacker::new(dictionary)?)
        };
        self.0.get_or_try_init(read).await
    }
}

impl Row {
    pub(super) fn unpack(self, unpacker: &Unpacker) -> Result<StoredDocument, ReadFault> {
        Ok(StoredDocument {
            rank: u32::try_from(self.rank).map_err(|_| ReadFault::Form("rank"))?,
            service_id: self.service_id,
            json: unpacker.unpack(&self.doc)?,
        })
    }
}
