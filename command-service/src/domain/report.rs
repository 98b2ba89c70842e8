//! A data-quality report and its life: received, under review, accepted or rejected, corrected (`docs/REPORTS.md`).

use chrono::{DateTime, Utc};
use events_schema::ids::BuildName;
use events_schema::report::v1::{
    ReportAccepted, ReportCorrected, ReportReceived, ReportRejected, ReportReviewed, ReportStatus,
};
use serde::{Deserialize, Serialize};

use super::{Decider, facts};

facts! {
    /// What can happen to a report.
    ReportEvent { ReportReceived, ReportReviewed, ReportAccepted, ReportRejected, ReportCorrected }
}

/// A report with every step that it took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// None before it is received.
    pub received: Option<ReportReceived>,
    /// From `received` on.
    pub history: Vec<Step>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The status from then on.
    pub status: ReportStatus,
    /// When.
    pub at: DateTime<Utc>,
    /// Reason of a rejection.
    pub reason: Option<String>,
    /// Build of a correction.
    pub build: Option<BuildName>,
}

/// Wishes about a report.
#[derive(Debug, Clone)]
pub enum ReportCommand {
    /// File it.
    File(Box<ReportReceived>),
    /// Begin to look at it.
    Review {
        /// Now.
        at: DateTime<Utc>,
    },
    /// It is right.
    Accept {
        /// Now.
        at: DateTime<Utc>,
    },
    /// It is not acted on.
    Reject {
        /// Why.
        reason: String,
        /// Now.
        at: DateTime<Utc>,
    },
    /// A build carries the correction.
    Correct {
        /// The build.
        build: BuildName,
        /// Now.
        at: DateTime<Utc>,
    },
}

/// Why a wish about a report is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportRefusal {
    /// The id is taken.
    #[error("the report was filed already")]
    AlreadyFiled,
    /// There is no such report.
    #[error("there is no such report")]
    Unknown,
    /// The step does not follow from where the report stands.
    #[error("the report is {}; this step needs {}", name(*.status), needed(.needs))]
    OutOfOrder {
        /// Where it stands.
        status: ReportStatus,
        /// Where it would have to stand.
        needs: &'static [ReportStatus],
    },
}

const fn name(status: ReportStatus) -> &'static str {
    match status {
        ReportStatus::Received => "received",
        ReportStatus::UnderReview => "under_review",
        ReportStatus::Accepted => "accepted",
        ReportStatus::Rejected => "rejected",
        ReportStatus::Corrected => "corrected",
    }
}

fn needed(statuses: &[ReportStatus]) -> String {
    statuses
        .iter()
        .map(|status| name(*status))
        .collect::<Vec<_>>()
        .join(" or ")
}

const OPEN: &[ReportStatus] = &[ReportStatus::Received, ReportStatus::UnderReview];

impl Report {
    /// Where it stands; none before it is received.
    #[must_use]
    pub fn status(&self) -> Option<ReportStatus> {
        self.history.last().map(|step| step.status)
    }

    fn needs(&self, statuses: &'static [ReportStatus]) -> Result<&ReportReceived, ReportRefusal> {
        let (Some(received), Some(status)) = (&self.received, self.status()) else {
            return Err(ReportRefusal::Unknown);
        };
        if statuses.contains(&status) {
            Ok(received)
        } else {
            Err(ReportRefusal::OutOfOrder {
                status,
                needs: statuses,
            })
        }
    }

    fn step(&mut self, status: ReportStatus, at: DateTime<Utc>) {
        self.history.push(Step {
            status,
            at,
            reason: None,
            build: None,
        });
    }
}

impl Decider for Report {
    const NAME: &'static str = "report";
    type Command = ReportCommand;
    type Event = ReportEvent;
    type Refusal = ReportRefusal;

    fn decide(&self, command: ReportCommand) -> Result<Vec<ReportEvent>, ReportRefusal> {
        let event = match command {
            ReportCommand::File(received) if self.received.is_none() => (*received).into(),
            ReportCommand::File(_) => return Err(ReportRefusal::AlreadyFiled),
            ReportCommand::Review { at } => {
                let report = self.needs(&[ReportStatus::Received])?;
                ReportReviewed {
                    report_id: report.report_id,
                    service_id: report.service_id,
                    at,
                }
                .into()
            }
            ReportCommand::Accept { at } => {
                let report = self.needs(OPEN)?;
                ReportAccepted {
                    report_id: report.report_id,
                    service_id: report.service_id,
                    at,
                }
                .into()
            }
            ReportCommand::Reject { reason, at } => {
                let report = self.needs(OPEN)?;
                ReportRejected {
                    report_id: report.report_id,
                    service_id: report.service_id,
                    reason,
                    at,
                }
                .into()
            }
            ReportCommand::Correct { build, at } => {
                let report = self.needs(&[ReportStatus::Accepted])?;
                let (report_id, service_id) = (report.report_id, report.service_id);
                ReportCorrected {
                    report_id,
                    service_id,
                    data_build: build,
                    at,
                }
                .into()
            }
        };
        Ok(vec![event])
    }

    fn evolve(&mut self, event: &ReportEvent) {
        match event {
            ReportEvent::ReportReceived(received) => {
                self.received = Some(received.clone());
                self.step(ReportStatus::Received, received.received_at);
            }
            ReportEvent::ReportReviewed(event) => self.step(ReportStatus::UnderReview, event.at),
            ReportEvent::ReportAccepted(event) => self.step(ReportStatus::Accepted, event.at),
            ReportEvent::ReportRejected(event) => self.history.push(Step {
                status: ReportStatus::Rejected,
                at: event.at,
                reason: Some(event.reason.clone()),
                build: None,
            }),
            ReportEvent::ReportCorrected(event) => self.history.push(Step {
                status: ReportStatus::Corrected,
                at: event.at,
                reason: None,
                build: Some(event.data_build.clone()),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use events_schema::ids::ReportId;
    use events_schema::record::RecordKind;
    use events_schema::report::v1::{IssueLevel, IssueType};
    use uuid::Uuid;

    use super::*;

    fn filed() -> Report {
        let service_id = Uuid::from_u128(7);
        let received = ReportReceived {
            report_id: ReportId::new(service_id, [1; 16]),
            subject_type: RecordKind::Person,
            service_id,
            issue_type: IssueType::Outdated,
            issue_level: IssueLevel::Record,
            field: None,
            data_build: "b1".parse().unwrap(),
            record_last_seen: None,
            request_id: Uuid::from_u128(8),
            reporter: "00".repeat(16),
            received_at: DateTime::UNIX_EPOCH,
        };
        let mut report = Report::default();
        carry_out(&mut report, ReportCommand::File(Box::new(received))).unwrap();
        report
    }

    fn carry_out(report: &mut Report, command: ReportCommand) -> Result<(), ReportRefusal> {
        report
            .decide(command)?
            .iter()
            .for_each(|event| report.evolve(event));
        Ok(())
    }

    #[test]
    fn a_report_goes_through_review_and_acceptance_to_correction() {
        let at = DateTime::UNIX_EPOCH;
        let mut report = filed();
        carry_out(&mut report, ReportCommand::Review { at }).unwrap();
        carry_out(&mut report, ReportCommand::Accept { at }).unwrap();
        carry_out(
            &mut report,
            ReportCommand::Correct {
                build: "b2".parse().unwrap(),
                at,
            },
        )
        .unwrap();
        let statuses: Vec<_> = report.history.iter().map(|step| step.status).collect();
        assert_eq!(
            statuses,
            [
                ReportStatus::Received,
                ReportStatus::UnderReview,
                ReportStatus::Accepted,
                ReportStatus::Corrected
            ]
        );
    }

    #[test]
    fn a_rejected_report_is_not_accepted_later() {
        let at = DateTime::UNIX_EPOCH;
        let mut report = filed();
        carry_out(
            &mut report,
            ReportCommand::Reject {
                reason: "record is right".into(),
                at,
            },
        )
        .unwrap();
        let refusal = report.decide(ReportCommand::Accept { at }).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "the report is rejected; this step needs received or under_review"
        );
    }

    #[test]
    fn each_step_follows_from_where_the_report_stands() {
        let at = DateTime::UNIX_EPOCH;
        let build = || "b2".parse().unwrap();
        let unknown = Report::default().decide(ReportCommand::Review { at });
        assert_eq!(unknown, Err(ReportRefusal::Unknown));
        let mut report = filed();
        let refusal = |report: &Report, command| report.decide(command).unwrap_err().to_string();
        assert_eq!(
            refusal(&report, ReportCommand::Correct { build: build(), at }),
            "the report is received; this step needs accepted"
        );
        carry_out(&mut report, ReportCommand::Review { at }).unwrap();
        assert_eq!(
            refusal(&report, ReportCommand::Review { at }),
            "the report is under_review; this step needs received"
        );
        carry_out(&mut report, ReportCommand::Accept { at }).unwrap();
        let reason = "no".to_owned();
        assert_eq!(
            refusal(&report, ReportCommand::Reject { reason, at }),
            "the report is accepted; this step needs received or under_review"
        );
        carry_out(&mut report, ReportCommand::Correct { build: build(), at }).unwrap();
        assert_eq!(
            refusal(&report, ReportCommand::Accept { at }),
            "the report is corrected; this step needs received or under_review"
        );
        assert_eq!(report.history.last().unwrap().build, Some(build()));
    }

    #[test]
    fn a_report_is_filed_once() {
        let report = filed();
        let again = report.received.clone().unwrap();
        assert_eq!(
            report.decide(ReportCommand::File(Box::new(again))),
            Err(ReportRefusal::AlreadyFiled)
        );
    }
}
