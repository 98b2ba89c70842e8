//! One record of a build as it is stored, for an operator who wants to see it.

use documents::{UnpackFault, Unpacker};
use events_schema::record::RecordKind;
use normalize::keys::{CompanyKey, KeyKind, PersonKey, key};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use crate::builds::schema::Tables;

/// A record with what is known of its storage.
#[derive(Debug, Serialize)]
pub struct Stored {
    /// The build.
    pub build: String,
    /// Person or company.
    pub kind: RecordKind,
    /// Place in the build's default order, 1 is first.
    pub rank: i32,
    /// The record's own id, also when it was asked for by one that it replaced.
    pub service_id: Uuid,
    /// Bytes of the document as JSON.
    pub document_bytes: usize,
    /// Bytes of the document as it is stored.
    pub packed_bytes: usize,
    /// The document.
    pub document: Value,
}

/// Why a record is not shown.
#[derive(Debug, thiserror::Error)]
pub enum LookupFault {
    /// No build of this name has its final tables.
    #[error("no build of this name has records that can be read")]
    NoBuild,
    /// The build has no such record.
    #[error("the build has no such record")]
    NoRecord,
    /// The read model's database.
    #[error("the read model cannot be read")]
    Database(#[from] sqlx::Error),
    /// What is stored gives no document.
    #[error("the record's document is damaged")]
    Damaged(#[from] UnpackFault),
    /// What is stored gives something that is not JSON.
    #[error("the record's document is not JSON")]
    NotJson(#[from] serde_json::Error),
}

/// The record with this id, else the one into which it was merged.
///
/// # Errors
/// Why there is none to be shown.
pub async fn record(pool: &PgPool, build: &str, id: Uuid) -> Result<Stored, LookupFault> {
    let mut db = pool.acquire().await?;
    let kind: Option<String> = sqlx::query_scalar(include_str!("../../sql/builds/kind.sql"))
        .bind(build)
        .fetch_optional(&mut *db)
        .await?;
    let kind = kind.and_then(|kind| kind.parse::<RecordKind>().ok());
    let kind = kind.ok_or(LookupFault::NoBuild)?;
    let tables = Tables::new(build, kind);
    if !tables.are_final(&mut db).await? {
        return Err(LookupFault::NoBuild);
    }
    let text = id.to_string();
    let (number, merged) = match kind {
        RecordKind::Person => merged(PersonKey::MergedId, &text),
        RecordKind::Company => merged(CompanyKey::MergedId, &text),
    };
    let found = tables.record(&mut db, id, number, merged).await?;
    let (rank, service_id, packed) = found.ok_or(LookupFault::NoRecord)?;
    let dictionary = tables.dictionary(&mut db).await?.unwrap_or_default();
    let document = Unpacker::new(dictionary)?.unpack(&packed)?;
    Ok(Stored {
        build: build.to_owned(),
        kind,
        rank,
        service_id,
        document_bytes: document.len(),
        packed_bytes: packed.len(),
        document: serde_json::from_slice(&document)?,
    })
}

fn merged(kind: impl KeyKind, id: &str) -> (i16, Uuid) {
    (kind.number(), Uuid::from_bytes(key(kind, id)))
}
