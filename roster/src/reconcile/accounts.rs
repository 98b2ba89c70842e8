//! `accounts.v1`: every account and key of the store is in the read models, revoked or not as the store says.

use std::collections::HashMap;

use events_schema::event::AccountsEvent;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::TryStreamExt;
use uuid::Uuid;

use crate::reconcile::difference::same;
use crate::reconcile::read_model::{self, ReadModel};
use crate::reconcile::store::Store;
use crate::reconcile::{Stop, Summary};

/// Rows asked for at a time.
const BATCH: usize = 1_000;

/// What the events say.
#[derive(Default)]
struct Folded {
    names: HashMap<Uuid, String>,
    /// Whether it is revoked, by key.
    revoked: HashMap<String, bool>,
}

pub(crate) async fn prove(
    shard: Shard,
    store: &mut Store,
    read_model: &mut ReadModel,
    summary: &mut Summary,
) -> Result<(), Stop> {
    let folded = fold(shard, store, read_model.cut(Topic::Accounts, shard)).await?;
    summary.accounts += i64::try_from(folded.names.len()).unwrap_or(i64::MAX);
    summary.api_keys += i64::try_from(folded.revoked.len()).unwrap_or(i64::MAX);
    let ids: Vec<_> = folded.names.keys().copied().collect();
    for batch in ids.chunks(BATCH) {
        let rows: HashMap<Uuid, String> =
            sqlx::query_as::<_, (Uuid, String)>(include_str!("../../sql/read_model/accounts.sql"))
                .bind(batch)
                .fetch(&mut read_model.db)
                .try_collect()
                .await
                .map_err(read_model::fault)?;
        for id in batch {
            let place = || format!("read model account {id}");
            same("wrong_row", place, &folded.names.get(id), &rows.get(id))?;
        }
    }
    let ids: Vec<_> = folded.revoked.keys().map(String::as_str).collect();
    for batch in ids.chunks(BATCH) {
        let rows: HashMap<String, bool> =
            sqlx::query_as::<_, (String, bool)>(include_str!("../../sql/read_model/api_keys.sql"))
                .bind(batch)
                .fetch(&mut read_model.db)
                .try_collect()
                .await
                .map_err(read_model::fault)?;
        for id in batch {
            let place = || format!("read model api_key {id} (whether revoked)");
            same("wrong_row", place, &folded.revoked.get(*id), &rows.get(*id))?;
        }
    }
    Ok(())
}

async fn fold(shard: Shard, store: &mut Store, cut: i64) -> Result<Folded, Stop> {
    let mut folded = Folded::default();
    let mut events = store.events_between(shard, Topic::Accounts, 0, cut);
    while let Some(stored) = events.try_next().await? {
        let event = stored.event()?;
        let Some(event) = AccountsEvent::of(&event) else {
            continue;
        };
        match event {
            AccountsEvent::AccountOpened(e) => {
                folded.names.insert(e.account_id.uuid(), e.name.clone());
            }
            AccountsEvent::ApiKeyIssued(e) => {
                folded.revoked.insert(e.api_key_id.to_string(), false);
            }
            AccountsEvent::ApiKeyRevoked(e) => {
                folded.revoked.insert(e.api_key_id.to_string(), true);
            }
        }
    }
    Ok(folded)
}
