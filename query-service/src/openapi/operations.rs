//! What the document says of each public request ([`Operation`]) in words.

use events_schema::api::endpoint::Endpoint;
use events_schema::api::limits::{MAX_BULK_ITEMS, OWN_ACCOUNT_RATE_LIMIT};
use events_schema::api::operation::Operation::{
    self, Bulk, Credits, Ledger, Live, Of, Ready, Report,
};
use events_schema::record::RecordKind;
use http::Method;
use serde_json::{Value, json};

/// Groups of operations, in the order of the document.
const TAGS: &[(&str, &str)] = &[
    (
        "Enrich",
        "One record, or several candidates, by what is known of it.",
    ),
    ("Search", "Records by a query, exact words or plain ones."),
    ("Utility", "The canonical form of single values."),
    (
        "Report",
        "What is wrong with a record, and what became of that.",
    ),
    ("Account", "What was spent and what is left."),
    ("Health", "Whether the service answers."),
];

/// The `tags` of the document.
pub(super) fn tags() -> Value {
    let tags = TAGS.iter();
    tags.map(|(name, description)| json!({"name": name, "description": description}))
        .collect()
}

/// What is said of a request, and what follows from its kind.
pub(super) trait Described: Copy {
    /// Whether it costs credits, by its default price.
    fn is_paid(self) -> bool;
    /// Whether it asks for a key.
    fn takes_key(self) -> bool;
    /// Whether an `Idempotency-Key` names it.
    fn takes_idempotency_key(self) -> bool;
    /// Whether it brings a body.
    fn takes_body(self) -> bool;
    /// The record that it is about.
    fn kind(self) -> Option<RecordKind>;
    /// Its group.
    fn tag(self) -> &'static str;
    /// What it does, in one sentence.
    fn summary(self) -> String;
    /// What it does, what it costs, and how often it may be asked.
    fn description(self) -> String;
}

impl Described for Operation {
    fn is_paid(self) -> bool {
        self.endpoint().is_some_and(|endpoint| !endpoint.is_free())
    }

    fn takes_key(self) -> bool {
        match self {
            Of(_) | Bulk(_) | Credits | Ledger | Report => true,
            Live | Ready => false,
        }
    }

    fn takes_idempotency_key(self) -> bool {
        self.is_paid() || self.endpoint().is_some_and(Endpoint::is_report)
    }

    fn takes_body(self) -> bool {
        self.method() == Method::POST
    }

    fn kind(self) -> Option<RecordKind> {
        match self {
            Bulk(kind) => Some(kind),
            Of(
                Endpoint::PersonEnrich
                | Endpoint::PersonSearch
                | Endpoint::PersonDiscover
                | Endpoint::ReportPerson,
            ) => Some(RecordKind::Person),
            Of(
                Endpoint::CompanyEnrich
                | Endpoint::CompanySearch
                | Endpoint::CompanyDiscover
                | Endpoint::ReportCompany,
            ) => Some(RecordKind::Company),
            Of(
                Endpoint::UtilityClean
                | Endpoint::UtilityHashEmail
                | Endpoint::UtilityValidate
                | Endpoint::Autocomplete,
            )
            | Credits
            | Ledger
            | Report
            | Live
            | Ready => None,
        }
    }

    fn tag(self) -> &'static str {
        match self {
            Of(Endpoint::PersonEnrich | Endpoint::CompanyEnrich) | Bulk(_) => "Enrich",
            Of(
                Endpoint::PersonSearch
                | Endpoint::CompanySearch
                | Endpoint::PersonDiscover
                | Endpoint::CompanyDiscover
                | Endpoint::Autocomplete,
            ) => "Search",
            Of(Endpoint::UtilityClean | Endpoint::UtilityHashEmail | Endpoint::UtilityValidate) => {
                "Utility"
            }
            Of(Endpoint::ReportPerson | Endpoint::ReportCompany) | Report => "Report",
            Credits | Ledger => "Account",
            Live | Ready => "Health",
        }
    }

    fn summary(self) -> String {
        match self {
            Of(endpoint) => endpoint.summary().to_owned(),
            Bulk(kind) => format!("Up to {MAX_BULK_ITEMS} requests of {kind} enrich in one."),
            Credits => "The account's contracts and what is left of them.".to_owned(),
            Ledger => "The account's grants and charges, newest first.".to_owned(),
            Report => "What has become of a report.".to_owned(),
            Live => "Whether the process lives.".to_owned(),
            Ready => "Whether requests can be answered.".to_owned(),
        }
    }

    fn description(self) -> String {
        format!("{} {}", what(self), cost(self))
    }
}

fn what(operation: Operation) -> &'static str {
    match operation {
        Of(Endpoint::PersonEnrich) => {
            "Finds the person that the inputs mean and returns the record. Takes a primary identifier (`email`, `email_hash`, \
             `phone`, `social_url`, `linkedin_id`, `service_id`), or a name (`full_name`, or `first_name` and `last_name`) with \
             one context. No match is a 404, for nothing."
        }
        Of(Endpoint::CompanyEnrich) => {
            "Finds the company that the inputs mean and returns the record. Takes one of `service_id`, `domain`, `name`, \
             `linkedin_url`, `social_url`, `linkedin_id` and `ticker_symbol`; the others tell namesakes apart. No match is a 404, \
             for nothing."
        }
        Of(Endpoint::PersonSearch | Endpoint::CompanySearch) => {
            "Records by a query in the words of SQL, with their exact number. The next page is asked for by `next_cursor`, which \
             stays on its data build. With `dry_run` only the total and the price are told, for nothing."
        }
        Of(Endpoint::PersonDiscover | Endpoint::CompanyDiscover) => {
            "A description in plain words becomes a query of search, which is told with what became of every word. What no field \
             answers is reported, and with `strict` refused."
        }
        Of(Endpoint::UtilityClean) => {
            "The canonical form of values, as records hold it. A value that cannot be read is told by `normalized`, and charged."
        }
        Of(Endpoint::UtilityHashEmail) => {
            "The hashes of an address in its canonical form, each of which finds the person as `email_hash`."
        }
        Of(Endpoint::UtilityValidate) => {
            "What is wrong or doubtful with values, and what the canonical form would be. At least one is given. A bad value is \
             data: 200, and charged."
        }
        Of(Endpoint::Autocomplete) => {
            "Which stored values a text may become, with how many records have them; slips are repaired."
        }
        Of(Endpoint::ReportPerson | Endpoint::ReportCompany) => {
            "Says that something in a record is wrong, by `correct_value` or `comment`. `field` is named where `issue_level` is \
             `group` or `field`, and nowhere else."
        }
        Bulk(_) => {
            "Each item is the body of a single request, and may have `metadata`, which comes back with its result. Options beside \
             `items` hold for each item that does not say otherwise. What is wrong with one item concerns no other. All matches \
             are paid by one charge, and the whole is one request to the rate limit."
        }
        Credits => {
            "At the top level the contract that would serve next, with nulls if none would; in `contracts` all of the account."
        }
        Ledger => {
            "The `credits` of a contract's entries add up to its balance. A page has everything that was answered before it was \
             asked for, unless `is_current` says otherwise. The next page is asked for by `next_cursor`."
        }
        Report => {
            "What was filed, where it stands and every step, for the account that filed it; of another one it is a 404."
        }
        Live => "Answered as long as the process runs.",
        Ready => "503 until the data builds are known, and while they cannot be read.",
    }
}

fn cost(operation: Operation) -> String {
    let Some(endpoint) = operation.endpoint() else {
        let limit = format!(
            "Free; {OWN_ACCOUNT_RATE_LIMIT} requests a minute with one key, together with all else that is read of the account."
        );
        return if operation.takes_key() {
            limit
        } else {
            "Free, without a key.".to_owned()
        };
    };
    let limit = endpoint.default_rate_limit();
    if endpoint.is_free() {
        return format!(
            "Free, with any valid key; {limit} requests a minute with one key by default."
        );
    }
    let price = endpoint.default_price().0;
    let credits = if price == 1 { "credit" } else { "credits" };
    format!(
        "By default it costs {price} {credits} a {}, and {limit} requests a minute may be made with one key; a contract may have \
         another price, a key another limit.",
        endpoint.unit()
    )
}
