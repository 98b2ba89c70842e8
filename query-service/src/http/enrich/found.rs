//! What was found for one request: as it is kept for a replay, and as it is shown.

use events_schema::api::internal::Receipt;
use events_schema::ids::BuildName;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::enrich::MatchMetadata;
use crate::enrich::explain::Explanation;
use crate::http::problem::NotAnswered;
use crate::read_model::ReadFault;
use crate::render::{Text, View};

/// The word for a total that could be higher, in the header and in receipts.
pub(super) const AT_LEAST: &str = "at_least";

/// The matches of one request, at least one where they are found for the first time.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) shown: Vec<Shown>,
    pub(super) total: Total,
}

/// How many candidates there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Total {
    pub(super) number: u64,
    /// Whether all were looked at.
    pub(super) is_exact: bool,
}

/// A match as it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) service_id: Uuid,
    pub(super) json: Vec<u8>,
    pub(super) metadata: Option<MatchMetadata>,
    pub(super) explanation: Option<Explanation>,
}

impl Found {
    /// Units of the price book.
    pub(super) fn units(&self) -> u32 {
        u32::try_from(self.shown.len()).unwrap_or(u32::MAX)
    }

    /// What a replay needs; explanations are made again.
    pub(super) fn receipt(&self, build: Option<&BuildName>) -> Receipt {
        let shown = self.shown.iter();
        let metadata: Vec<_> = shown.clone().map(|one| &one.metadata).collect();
        Receipt {
            build: build.cloned(),
            ids: shown.map(|one| one.service_id).collect(),
            total: Some(self.total.number),
            extra: if self.total.is_exact {
                json!({"matches": metadata})
            } else {
                json!({"matches": metadata, AT_LEAST: true})
            },
        }
    }

    /// Writes `matches` and `total` into the object that is open.
    ///
    /// # Errors
    /// When a record cannot be read.
    pub(super) fn write(
        &self,
        text: &mut Text,
        view: &View,
        build: &BuildName,
    ) -> Result<(), NotAnswered> {
        text.key("matches");
        text.begin('[');
        for one in &self.shown {
            text.element();
            text.begin('{');
            text.key(view.key());
            view.write(text, one.service_id, build, &one.json)
                .map_err(|_| NotAnswered::Read(ReadFault::Form("document")))?;
            text.key("match_metadata");
            text.value(&json!(one.metadata));
            if let Some(explanation) = &one.explanation {
                text.key("explanation");
                text.value(&json!(explanation));
            }
            text.end('}');
        }
        text.end(']');
        text.key("total");
        text.value(&json!(self.total.number));
        Ok(())
    }
}

impl Total {
    /// As a receipt has it.
    pub(super) fn of(receipt: &Receipt) -> Self {
        Self {
            number: receipt.total.unwrap_or(receipt.ids.len() as u64),
            is_exact: receipt.extra.get(AT_LEAST) != Some(&Value::Bool(true)),
        }
    }
}
