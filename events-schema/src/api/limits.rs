//! Limits of the public interface (`docs/API.md`, "Limits"). Services take these as defaults of their settings.

use std::time::Duration;

/// Largest body of a public request, in bytes.
pub const MAX_BODY_BYTES: usize = 1_048_576;
/// Largest chunk that the admin listener takes, in bytes.
pub const MAX_CHUNK_BYTES: usize = 16 * 1_048_576;
/// Longest line of records, without its newline. What is cut off a byte behind it still fits into a chunk, where it is rejected.
pub const MAX_LINE_BYTES: usize = MAX_CHUNK_BYTES - 2;
/// Most lines in a chunk.
pub const MAX_CHUNK_ROWS: u32 = 50_000;
/// No request takes longer.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Events to Kafka again are sent in portions: so many, or what is sent in so much time.
pub const REPUBLISH_PORTION_EVENTS: u64 = 50_000;
/// See [`REPUBLISH_PORTION_EVENTS`].
pub const REPUBLISH_PORTION: Duration = Duration::from_secs(10);
/// A portion of which nothing gets to Kafka ends after this; whoever asked waits longer.
pub const REPUBLISH_TIMEOUT: Duration = Duration::from_secs(60);
/// A hold lives a little longer than any request.
pub const HOLD_TIMEOUT: Duration = Duration::from_secs(40);
/// Window of every rate limit.
pub const RATE_WINDOW_SECONDS: u32 = 60;
/// Most requests a minute that a key may be given, of one endpoint.
pub const MAX_RATE_LIMIT: u32 = 1_000_000;
/// Most credits that a contract may make a unit of an endpoint cost.
pub const MAX_PRICE: u32 = 1_000_000_000;
/// Most credits that a contract holds.
pub const MAX_CREDITS: i64 = 1_000_000_000_000_000;
/// Times a minute that one key may read what is its own account's: credits, ledger, reports.
pub const OWN_ACCOUNT_RATE_LIMIT: u32 = 600;
/// How long the charge of an `Idempotency-Key` is kept.
pub const IDEMPOTENCY_HOURS: i64 = 24;
/// Longest `Idempotency-Key`, in printable ASCII characters.
pub const MAX_IDEMPOTENCY_KEY_CHARS: usize = 255;
/// Most matches of one enrich request with `multiple_results`.
pub const MAX_ENRICH_LIMIT: u32 = 10;
/// Matches of an enrich request with `multiple_results` and no `limit`.
pub const DEFAULT_ENRICH_LIMIT: u32 = 2;
/// Most items of one bulk enrich request.
pub const MAX_BULK_ITEMS: usize = 100;
/// Most records of a search or discover page.
pub const MAX_PAGE_LIMIT: u32 = 100;
/// Shortest description that discover takes.
pub const MIN_DISCOVER_CHARS: usize = 3;
/// Longest description that discover takes.
pub const MAX_DISCOVER_CHARS: usize = 1_000;
/// Records of a search page without `limit`.
pub const DEFAULT_SEARCH_LIMIT: u32 = 10;
/// Longest text that is completed, in characters.
pub const MAX_COMPLETED_CHARS: usize = 200;
/// Completions without `limit`.
pub const DEFAULT_COMPLETIONS: u32 = 10;
/// Largest `offset`.
pub const MAX_OFFSET: u32 = 10_000;
/// Most entries of a page of the ledger.
pub const MAX_LEDGER_LIMIT: u32 = 1_000;
/// Entries of a page of the ledger without `limit`.
pub const DEFAULT_LEDGER_LIMIT: u32 = 100;
/// Longest comment of a report, in characters.
pub const MAX_REPORT_COMMENT_CHARS: usize = 2_000;
/// Longest observed or correct value of a report, in characters.
pub const MAX_REPORT_VALUE_CHARS: usize = 2_000;
/// Longest text of any single string parameter, in characters.
pub const MAX_STRING_CHARS: usize = 2_048;
