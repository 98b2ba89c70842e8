//! Which public requests there are, and whose they are to answer. The services build their routes and the description of the interface from
//! this list, and the gateway's own refusals are compared with it.
//!
//! A new public request is one more [`Operation`]; the compiler then asks for all that must be said of it.

use http::Method;

use super::endpoint::Endpoint;
use crate::record::RecordKind;

/// A public request, whichever service answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// An endpoint with a price and a rate limit of its own.
    Of(Endpoint),
    /// Many requests of enrich in one.
    Bulk(RecordKind),
    /// A report that the account has filed.
    Report,
    /// The account's credits.
    Credits,
    /// The account's grants and charges.
    Ledger,
    /// Whether the process lives.
    Live,
    /// Whether requests can be answered.
    Ready,
}

use Operation::{Bulk, Credits, Ledger, Live, Of, Ready, Report};

impl Operation {
    /// All, in the order of the description of the interface.
    pub fn all() -> impl Iterator<Item = Self> {
        let endpoints = Endpoint::ALL.iter().copied().map(Of);
        let bulk = RecordKind::ALL.map(Bulk);
        endpoints
            .chain(bulk)
            .chain([Report, Credits, Ledger, Live, Ready])
    }

    /// `GET` or `POST`.
    #[must_use]
    pub const fn method(self) -> Method {
        match self {
            Of(_) | Bulk(_) => Method::POST,
            Credits | Ledger | Report | Live | Ready => Method::GET,
        }
    }

    /// Where it is asked for, e.g. `/person/enrich`; what stands in braces is a part that the client fills in.
    #[must_use]
    pub fn path(self) -> String {
        match self {
            Of(endpoint) => endpoint.path().to_owned(),
            Bulk(kind) => format!("{}/bulk", single(kind).path()),
            Credits => "/credits".to_owned(),
            Ledger => "/credits/ledger".to_owned(),
            Report => "/utility/report/{report_id}".to_owned(),
            Live => "/health/live".to_owned(),
            Ready => "/health/ready".to_owned(),
        }
    }

    /// Its name; of an endpoint that of the CLI and of the MCP tools.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Of(endpoint) => endpoint.name().to_owned(),
            Bulk(kind) => format!("{}_bulk", single(kind).name()),
            Credits => "credits".to_owned(),
            Ledger => "credits_ledger".to_owned(),
            Report => "report".to_owned(),
            Live => "health_live".to_owned(),
            Ready => "health_ready".to_owned(),
        }
    }

    /// Whose price, rate limit and rights it has.
    #[must_use]
    pub const fn endpoint(self) -> Option<Endpoint> {
        match self {
            Of(endpoint) => Some(endpoint),
            Bulk(kind) => Some(single(kind)),
            Credits | Ledger | Report | Live | Ready => None,
        }
    }

    /// Whether command-service answers it. query-service answers the others; of their own health all services tell.
    #[must_use]
    pub const fn is_of_command_service(self) -> bool {
        match self {
            Of(endpoint) => endpoint.is_report(),
            Credits | Report => true,
            Bulk(_) | Ledger | Live | Ready => false,
        }
    }
}

/// The single request that many of are one bulk request.
#[must_use]
pub const fn single(kind: RecordKind) -> Endpoint {
    match kind {
        RecordKind::Person => Endpoint::PersonEnrich,
        RecordKind::Company => Endpoint::CompanyEnrich,
    }
}
