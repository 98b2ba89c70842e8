//! `roster reports`: triage of data-quality reports.

use clap::{Subcommand, ValueEnum};
use events_schema::api::admin::{CorrectReport, RejectReport};
use events_schema::ids::{BuildName, ReportId};
use serde_json::{Value, json};

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// Reports asked for at a time.
const PAGE: usize = 200;

/// What can be done with reports.
#[derive(Debug, Subcommand)]
pub(crate) enum Reports {
    /// List reports by the time at which they were received, oldest first.
    #[command(
        after_help = "Examples:\n  roster reports list\n  roster reports list --status received --limit 50\n  roster reports list --cursor REPORT --json"
    )]
    List {
        /// Only reports with this status.
        #[arg(long)]
        status: Option<Status>,
        /// At most this many.
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one, allow_negative_numbers = true)]
        limit: usize,
        /// Continue after an earlier list: its `next_cursor`.
        #[arg(long)]
        cursor: Option<ReportId>,
    },
    /// Show a report with every step, and its values until they are erased.
    #[command(after_help = "Example:\n  roster reports show REPORT")]
    Show {
        /// The report.
        report: ReportId,
    },
    /// Mark a report as under review.
    #[command(after_help = "Example:\n  roster reports review REPORT")]
    Review {
        /// The report.
        report: ReportId,
    },
    /// Accept a report: it is right, a correction will follow.
    #[command(after_help = "Example:\n  roster reports accept REPORT")]
    Accept {
        /// The report.
        report: ReportId,
    },
    /// Reject a report: nothing will be done about it.
    #[command(
        after_help = "Example:\n  roster reports reject REPORT --reason \"two companies of one group\""
    )]
    Reject {
        /// The report.
        report: ReportId,
        /// The reason, 1 to 500 characters; must not contain a reported value.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Mark a report as corrected by a data build.
    #[command(after_help = "Example:\n  roster reports correct REPORT --build 2026.12.1-person")]
    Correct {
        /// The report.
        report: ReportId,
        /// Name of the data build that holds the correction.
        #[arg(long)]
        build: BuildName,
    },
    /// Erase a report's values from the store and Kafka for ever; the report itself stays.
    #[command(
        after_help = "Says `tombstone` `sent`, or `owed` where Kafka has not taken it within ten seconds: it is sent by itself then.\n\nExample:\n  roster reports erase REPORT"
    )]
    Erase {
        /// The report.
        report: ReportId,
    },
}

/// The status of a report.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Status {
    Received,
    UnderReview,
    Accepted,
    Rejected,
    Corrected,
}

impl Reports {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        let report = match self {
            Self::List {
                status,
                limit,
                cursor,
            } => return list(&client, output, status, limit, cursor).await,
            Self::Show { report } => client.get(&format!("/admin/reports/{report}")).await?,
            Self::Review { report } => {
                client
                    .act(&format!("/admin/reports/{report}/review"))
                    .await?
            }
            Self::Accept { report } => {
                client
                    .act(&format!("/admin/reports/{report}/accept"))
                    .await?
            }
            Self::Reject { report, reason } => {
                let body = RejectReport { reason };
                client
                    .post(&format!("/admin/reports/{report}/reject"), &body)
                    .await?
            }
            Self::Correct { report, build } => {
                let body = CorrectReport { build };
                client
                    .post(&format!("/admin/reports/{report}/correct"), &body)
                    .await?
            }
            Self::Erase { report } => {
                let path = format!("/admin/reports/{report}/details");
                match client.delete(&path).await? {
                    Value::Null => json!({ "report_id": report, "tombstone": "sent" }),
                    owed => owed,
                }
            }
        };
        output.record(&report)
    }
}

/// Asks for page after page until there is no further one or enough reports are listed, readable or not.
async fn list(
    client: &Client,
    output: Output,
    status: Option<Status>,
    limit: usize,
    cursor: Option<ReportId>,
) -> Result<(), Failure> {
    let (mut reports, mut unreadable) = (Vec::new(), Vec::new());
    let mut cursor = cursor.map(|report| report.to_string());
    while reports.len() + unreadable.len() < limit {
        let wanted = limit - reports.len() - unreadable.len();
        let page: Value = client
            .get(&page_path(status, wanted, cursor.as_deref()))
            .await?;
        let listed = |field: &str| page.get(field).and_then(Value::as_array).cloned();
        reports.extend(listed("reports").into_iter().flatten());
        unreadable.extend(listed("unreadable").into_iter().flatten());
        cursor = page
            .get("next_cursor")
            .and_then(Value::as_str)
            .map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    if let Some(cursor) = &cursor {
        output.note(&format!(
            "there are more than these {limit}: go on with --cursor {cursor}, or ask with a larger --limit"
        ));
    }
    let columns = [
        "report_id",
        "status",
        "subject_type",
        "service_id",
        "issue_type",
        "issue_level",
        "field",
        "created_at",
    ];
    let listed = json!({ "reports": reports, "unreadable": unreadable, "next_cursor": cursor });
    output.note_unreadable(&listed, "reports");
    output.list(&listed, "reports", &columns)
}

fn page_path(status: Option<Status>, wanted: usize, cursor: Option<&str>) -> String {
    let mut path = format!("/admin/reports?limit={}", wanted.min(PAGE));
    if let Some(value) = status.and_then(|status| status.to_possible_value()) {
        path = format!("{path}&status={}", value.get_name());
    }
    if let Some(cursor) = cursor {
        path = format!("{path}&cursor={cursor}");
    }
    path
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| "expected a whole number from 1 on".to_owned())
}
