//! Events of an account, version 1.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::endpoint::{Endpoint, EndpointSet};
use crate::ids::{AccountId, ApiKeyId};

/// `account.opened.v1`: a customer exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AccountOpened {
    /// The account.
    pub account_id: AccountId,
    /// Its name, for operators; not personal data.
    pub name: String,
}

/// `account.api_key_issued.v1`: a key works from now on. The secret is never in an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApiKeyIssued {
    /// The key's account.
    pub account_id: AccountId,
    /// Public part of the key.
    pub api_key_id: ApiKeyId,
    /// Endpoints that the key may call.
    pub endpoints: EndpointSet,
    /// Requests a minute where they differ from the default.
    pub rate_limits: BTreeMap<Endpoint, u32>,
    /// When it was issued.
    pub issued_at: DateTime<Utc>,
}

/// `account.api_key_revoked.v1`: a key answers 401 from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApiKeyRevoked {
    /// The key's account.
    pub account_id: AccountId,
    /// Public part of the key.
    pub api_key_id: ApiKeyId,
    /// When it was revoked.
    pub revoked_at: DateTime<Utc>,
}
