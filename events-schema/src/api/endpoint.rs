//! The rate-limited endpoints, most of them paid: path, default price, default rate limit (`docs/API.md`, "Credits").

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::credits::Credits;
use crate::ids::InvalidId;

macro_rules! endpoints {
    ($( $variant:ident = $name:literal, $path:literal, $price:literal, $per_minute:literal, $unit:literal, $doc:literal; )*) => {
        /// A public operation with a price, which may be none, and a rate limit of its own.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Endpoint {
            $( #[doc = $doc] $variant, )*
        }

        impl Endpoint {
            /// All, in the order of `docs/API.md`, "Credits".
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Name in the CLI, in the price book and as MCP tool, e.g. `person_enrich`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Path of the POST request, e.g. `/person/enrich`.
            #[must_use]
            pub const fn path(self) -> &'static str {
                match self { $(Self::$variant => $path,)* }
            }

            /// Default price in credits a unit: a match, a record, or a successful call.
            #[must_use]
            pub const fn default_price(self) -> Credits {
                match self { $(Self::$variant => Credits($price),)* }
            }

            /// Default rate limit: requests a minute for one API key.
            #[must_use]
            pub const fn default_rate_limit(self) -> u32 {
                match self { $(Self::$variant => $per_minute,)* }
            }

            /// What the price is for, e.g. `returned match`; empty where nothing is paid.
            #[must_use]
            pub const fn unit(self) -> &'static str {
                match self { $(Self::$variant => $unit,)* }
            }

            /// What it does, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

endpoints! {
    PersonEnrich = "person_enrich", "/person/enrich", 1, 100, "returned match", "Match a person and append data.";
    PersonSearch = "person_search", "/person/search", 1, 50, "returned record", "SQL-like query over people.";
    PersonDiscover = "person_discover", "/person/discover", 1, 50, "returned record", "Plain words over people.";
    CompanyEnrich = "company_enrich", "/company/enrich", 1, 100, "returned match", "Match a company and append data.";
    CompanySearch = "company_search", "/company/search", 1, 50, "returned record", "SQL-like query over companies.";
    CompanyDiscover = "company_discover", "/company/discover", 1, 50, "returned record", "Plain words over companies.";
    UtilityClean = "utility_clean", "/utility/clean", 1, 100, "successful call", "Clean and normalize fields.";
    UtilityHashEmail = "utility_hash_email", "/utility/hash/email", 1, 100, "successful call", "Hash an e-mail address.";
    UtilityValidate = "utility_validate", "/utility/validate", 1, 100, "successful call", "Validate fields.";
    Autocomplete = "autocomplete", "/autocomplete", 0, 600, "", "Values that a text may become.";
    ReportPerson = "report_person", "/utility/report/person", 0, 50, "", "Flag an issue on a person.";
    ReportCompany = "report_company", "/utility/report/company", 0, 50, "", "Flag an issue on a company.";
}

impl Endpoint {
    /// Reports and completions cost nothing, need no contract and are open to any valid key; no price book changes that.
    #[must_use]
    pub const fn is_free(self) -> bool {
        self.is_report() || matches!(self, Self::Autocomplete)
    }

    /// Credits a unit where a contract has these prices of its own, of those that differ from the default.
    #[must_use]
    pub fn price(self, own: &BTreeMap<Self, Credits>) -> Credits {
        if self.is_free() {
            return Credits::ZERO;
        }
        own.get(&self)
            .copied()
            .unwrap_or_else(|| self.default_price())
    }

    /// Whether it writes a report: command-service answers it.
    #[must_use]
    pub const fn is_report(self) -> bool {
        matches!(self, Self::ReportPerson | Self::ReportCompany)
    }

    /// `POST /person/enrich`: how error details name an endpoint.
    #[must_use]
    pub fn route(self) -> String {
        format!("POST {}", self.path())
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Endpoint {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::ALL
            .iter()
            .copied()
            .find(|endpoint| endpoint.name() == text)
            .ok_or(InvalidId("endpoint name"))
    }
}

/// What a key may call or a contract covers: `"all"`, or a list of endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndpointSet {
    /// Every endpoint, also those to come.
    All,
    /// These and no others.
    Only(BTreeSet<Endpoint>),
}

impl EndpointSet {
    /// Whether the endpoint is in the set.
    #[must_use]
    pub fn contains(&self, endpoint: Endpoint) -> bool {
        match self {
            Self::All => true,
            Self::Only(set) => set.contains(&endpoint),
        }
    }
}
