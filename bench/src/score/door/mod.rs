//! Where requests are asked: the service over HTTP, or its pure parts in this process.

mod http;
mod in_process;

use events_schema::record::{Confidence, RecordKind};
use serde_json::{Map, Value};
use sqlx::PgPool;

use crate::world::World;

pub(crate) enum Door {
    Http(Box<http::Service>),
    InProcess(Box<in_process::Builds>),
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The first match: its id, and its level.
    Found(String, Confidence),
    /// 404, with its reason.
    Nothing(String),
    /// Any other refusal: the request was not understood.
    Refused(String),
}

impl Door {
    /// Loads a world.
    pub(crate) async fn open(world: &World, in_process: bool) -> anyhow::Result<Self> {
        Ok(if in_process {
            Self::InProcess(Box::new(in_process::Builds::read(world)?))
        } else {
            Self::Http(Box::new(http::Service::start(world).await?))
        })
    }

    /// The loaded builds as tables; a process has none.
    pub(crate) fn read_model(&self) -> Option<&PgPool> {
        match self {
            Self::Http(service) => Some(service.read_model()),
            Self::InProcess(_) => None,
        }
    }

    pub(crate) async fn ask(
        &self,
        subject: RecordKind,
        body: &Map<String, Value>,
    ) -> anyhow::Result<Answer> {
        match self {
            Self::Http(service) => service.ask(subject, body).await,
            Self::InProcess(builds) => builds.ask(subject, body),
        }
    }
}
