//! A stack of its own with both builds loaded, and a customer whose limits are out of the way.

use std::time::Duration;

use anyhow::Context;
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use sqlx::PgPool;
use tests::{Customer, Stack};

use super::Answer;
use crate::world::World;

/// More than any run charges.
const CREDITS: i64 = 1_000_000_000;
/// A million records take minutes.
const LOADED_WITHIN: Duration = Duration::from_secs(60 * 60);

pub(crate) struct Service {
    /// Ends its processes when it is dropped.
    stack: Stack,
    customer: Customer,
}

impl Service {
    pub(super) async fn start(world: &World) -> anyhow::Result<Self> {
        let stack = Stack::start().await?;
        for kind in [RecordKind::Company, RecordKind::Person] {
            let file = world.file(kind).to_str().context("a path is not UTF-8")?;
            let arguments = ["ingest", "--kind", kind.name(), file];
            stack.roster_within(&arguments, LOADED_WITHIN).await?;
        }
        let customer = stack.customer(CREDITS).await?;
        Ok(Self { stack, customer })
    }

    pub(super) fn read_model(&self) -> &PgPool {
        self.stack.read_model()
    }

    pub(super) async fn ask(
        &self,
        subject: RecordKind,
        body: &Map<String, Value>,
    ) -> anyhow::Result<Answer> {
        let mut body = body.clone();
        body.insert("include_fields".to_owned(), json!("service_id"));
        let path = format!("/{}/enrich", subject.name());
        let answer = self.customer.post(&path, &Value::Object(body)).await?;
        let id = format!("/matches/0/{}/service_id", subject.name());
        let text = |pointer: &str| answer.at(pointer).as_str().unwrap_or_default().to_owned();
        match answer.status {
            200 => {
                let level = answer.at("/matches/0/match_metadata/match_confidence");
                let level = serde_json::from_value(level.clone())?;
                Ok(Answer::Found(text(&id), level))
            }
            404 if answer.error() == "not_found" => Ok(Answer::Nothing(text("/details/reason"))),
            400 | 422 => Ok(Answer::Refused(answer.error().to_owned())),
            status => anyhow::bail!("{path} answered {status} {}", answer.body),
        }
    }
}
