//! Where requests are asked: the service over HTTP, or its pure parts in this process.

mod http;
mod in_process;

use events_schema::record::RecordKind;
use serde_json::{Map, Value};

use crate::world::World;

pub(crate) enum Door {
    Http(Box<http::Service>),
    InProcess(Box<in_process::Builds>),
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The first match.
    Found(String),
    /// 404, with its reason.
    Nothing(String),
    /// Any other refusal: the request was not understood.
    Refused(String),
}

impl Door {
    pub(crate) async fn http(world: &World) -> anyhow::Result<Self> {
        Ok(Self::Http(Box::new(http::Service::start(world).await?)))
    }

    pub(crate) fn in_process(world: &World) -> anyhow::Result<Self> {
        Ok(Self::InProcess(Box::new(in_process::Builds::read(world)?)))
    }

    pub(crate) async fn ask(
        &self,
        subject: RecordKind,
        body: &Map<String, Value>,
    ) -> anyhow::Result<Answer> {
        match self {
            Self::Http(service) => service.ask(subject, body).await,
            Self::InProcess(builds) => Ok(builds.ask(subject, body)),
        }
    }
}
