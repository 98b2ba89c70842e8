//! Data-quality reports: filed by clients, worked on by operators.

use chrono::{DateTime, Utc};
use events_schema::api::admin::{BuildStatus, ReportStep, ReportView};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{IdempotencyClaim, Receipt};
use events_schema::api::keyed_hash::keyed_hash;
use events_schema::ids::{AccountId, BuildName, ReportId};
use events_schema::record::RecordKind;
use events_schema::report::v1::{
    IssueLevel, IssueType, ReportDetails, ReportReceived, ReportStatus,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::command::{CommandError, Done, Reason};
use super::{Application, Cause, Listed};
use crate::domain::aggregate::{Aggregate, Command, Kind, Refusal};
use crate::domain::data_build::DataBuildRefusal;
use crate::domain::reason::told_in;
use crate::domain::report::{Report, ReportCommand, ReportRefusal};
use crate::shard::{Change, IdempotencyRow, Row};

/// A report as it is filed: every field checked, the record found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewReport {
    /// New id, in the record's shard.
    pub report_id: ReportId,
    /// Person or company.
    pub subject_type: RecordKind,
    /// The record, after merged ids are resolved.
    pub service_id: Uuid,
    /// What is wrong.
    pub issue_type: IssueType,
    /// How much is concerned.
    pub issue_level: IssueLevel,
    /// Field or group.
    pub field: Option<String>,
    /// The active data build.
    pub data_build: BuildName,
    /// `last_seen` of the record.
    pub record_last_seen: Option<String>,
    /// When it was received.
    pub received_at: DateTime<Utc>,
    /// Who reports.
    pub account_id: AccountId,
    /// The values.
    pub details: ReportDetails,
    /// The client's name for the request, with what a replay needs: kept with the report, so that both are durable together.
    pub idempotency: Option<(IdempotencyClaim, Receipt)>,
}

/// What came of filing a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filed {
    /// It is filed.
    Now(ReportView),
    /// The same named request was filed before; what was kept of it.
    Before(Receipt),
}

/// Which reports to list.
#[derive(Debug, Clone, Default)]
pub struct ReportFilter {
    /// Only these; none = all.
    pub status: Option<ReportStatus>,
    /// At most so many.
    pub limit: i64,
    /// After this one.
    pub after: Option<ReportId>,
}

impl Application {
    /// Files a report, once however often the same request files it. Its values go to the erasable table in the same
    /// statement, never into the event.
    ///
    /// # Errors
    /// See [`CommandError`]; the record's shard decides where.
    pub async fn file_report(&self, new: NewReport, cause: &Cause) -> Result<Filed, CommandError> {
        let received_at = new.received_at;
        let report_id = new.report_id;
        let endpoint = match new.subject_type {
            RecordKind::Person => Endpoint::ReportPerson,
            RecordKind::Company => Endpoint::ReportCompany,
        };
        let idempotency = new.idempotency.map(|(claim, receipt)| IdempotencyRow {
            account_id: new.account_id,
            endpoint,
            claim,
            receipt,
            kept_for: self.policy.limits.idempotency_for,
        });
        let received = ReportReceived {
            report_id,
            subject_type: new.subject_type,
            service_id: new.service_id,
            issue_type: new.issue_type,
            issue_level: new.issue_level,
            field: new.field,
            data_build: new.data_build,
            record_last_seen: new.record_last_seen,
            request_id: cause.request_id,
            reporter: self.reporter(new.account_id),
            received_at,
        };
        let change = Change {
            id: report_id.uuid(),
            command: Command::Report(ReportCommand::File(Box::new(received))),
            cause: cause.clone(),
            row: Some(Row::Report {
                report_id,
                received_at,
                details: new.details,
            }),
            named: idempotency,
            once: false,
        };
        match self.change_once(change).await {
            Ok(Done::Now(state)) => Ok(Filed::Now(viewed(&state)?)),
            Ok(Done::Before(receipt)) => Ok(Filed::Before(receipt)),
            Err(CommandError::Refused(Reason::Aggregate(Refusal::Report(
                ReportRefusal::AlreadyFiled,
            )))) => self.filed_before(report_id, cause).await,
            Err(error) => Err(error),
        }
    }

    /// The report of this very request, which is filed again since nobody knew what had become of it.
    async fn filed_before(&self, id: ReportId, cause: &Cause) -> Result<Filed, CommandError> {
        let state = self.read(Kind::Report, id.uuid()).await?;
        let is_same = match &state {
            Aggregate::Report(report) => {
                let received = report.received.as_ref();
                received.is_some_and(|received| received.request_id == cause.request_id)
            }
            _ => false,
        };
        if is_same {
            Ok(Filed::Now(viewed(&state)?))
        } else {
            Err(Reason::from(ReportRefusal::AlreadyFiled).into())
        }
    }

    /// One report.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn report(&self, report_id: ReportId) -> Result<ReportView, CommandError> {
        viewed(&self.read_anywhere(Kind::Report, report_id.uuid()).await?)
    }

    /// What a report says; none once erased.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn report_details(
        &self,
        report_id: ReportId,
    ) -> Result<Option<ReportDetails>, CommandError> {
        let details = self.store.report_details(report_id).await;
        details.map_err(|fault| self.fault(&fault))
    }

    /// One report, for the account that filed it. That of another account is none.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn report_of(
        &self,
        account: AccountId,
        report_id: ReportId,
    ) -> Result<ReportView, CommandError> {
        let state = self.read_anywhere(Kind::Report, report_id.uuid()).await?;
        let reporter = match &state {
            Aggregate::Report(report) => report.received.as_ref().map(|filed| &filed.reporter),
            _ => None,
        };
        if reporter != Some(&self.reporter(account)) {
            return Err(Reason::from(ReportRefusal::Unknown).into());
        }
        viewed(&state)
    }

    /// Whether there is such a report, also where it cannot be read.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn is_report(&self, id: ReportId) -> Result<bool, CommandError> {
        let is_report = self.store.is_report(id).await;
        is_report.map_err(|fault| self.fault(&fault))
    }

    /// A page of reports, oldest first.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn reports(
        &self,
        filter: ReportFilter,
    ) -> Result<Listed<ReportView, ReportId>, CommandError> {
        let ReportFilter {
            status,
            after,
            limit,
        } = filter;
        let ids = self.store.report_ids(status, after, limit + 1).await;
        let mut ids = ids.map_err(|fault| self.fault(&fault))?;
        let goes_on = super::cut(&mut ids, limit);
        let uuids = ids.iter().map(|id| id.uuid()).collect();
        let states = self.read_listed(Kind::Report, uuids).await?;
        Listed::of(ids, states, goes_on, viewed)
    }

    /// Somebody begins to look at it.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn review_report(
        &self,
        id: ReportId,
        cause: &Cause,
    ) -> Result<ReportView, CommandError> {
        self.step(
            id,
            ReportCommand::Review { at: self.now() },
            ReportStatus::UnderReview,
            cause,
        )
        .await
    }

    /// It is right.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn accept_report(
        &self,
        id: ReportId,
        cause: &Cause,
    ) -> Result<ReportView, CommandError> {
        self.step(
            id,
            ReportCommand::Accept { at: self.now() },
            ReportStatus::Accepted,
            cause,
        )
        .await
    }

    /// It is not acted on.
    ///
    /// # Errors
    /// See [`CommandError`]; the reason must not hold what was reported.
    pub async fn reject_report(
        &self,
        id: ReportId,
        reason: String,
        cause: &Cause,
    ) -> Result<ReportView, CommandError> {
        let details = self.report_details(id).await?;
        if let Some(field) = told_in(&reason, details.as_ref()) {
            return Err(Reason::ReasonTells(field).into());
        }
        let command = ReportCommand::Reject {
            reason,
            at: self.now(),
        };
        self.step(id, command, ReportStatus::Rejected, cause).await
    }

    /// A data build carries the correction.
    ///
    /// # Errors
    /// See [`CommandError`]; the build must be loaded, still be there, hold the report's kind of record, and not be the one that the
    /// report is about.
    pub async fn correct_report(
        &self,
        id: ReportId,
        build: BuildName,
        cause: &Cause,
    ) -> Result<ReportView, CommandError> {
        let named = self.build(&build).await?;
        let state = self.read_anywhere(Kind::Report, id.uuid()).await?;
        let received = match &state {
            Aggregate::Report(report) => report.received.as_ref(),
            _ => None,
        };
        let received = received.ok_or_else(|| Reason::from(ReportRefusal::Unknown))?;
        if received.subject_type != named.kind {
            return Err(Reason::OtherKind.into());
        }
        if received.data_build == build {
            return Err(Reason::SameBuild.into());
        }
        match named.status {
            BuildStatus::Loaded | BuildStatus::Active | BuildStatus::Retired => {}
            BuildStatus::Dropped => return Err(Reason::from(DataBuildRefusal::Dropped).into()),
            BuildStatus::Loading | BuildStatus::Failed | BuildStatus::Abandoned => {
                return Err(Reason::from(DataBuildRefusal::NotLoaded).into());
            }
        }
        let command = ReportCommand::Correct {
            build,
            at: self.now(),
        };
        self.step(id, command, ReportStatus::Corrected, cause).await
    }

    /// Erases the values of a report for good; the report itself stays. From then on the store owes their tombstone, which
    /// the owner of the shard sends: only in its order does it come after the values.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn erase_report_details(
        &self,
        id: ReportId,
        cause: &Cause,
    ) -> Result<(), CommandError> {
        self.owned_here(id.shard())?;
        let erased = self
            .store
            .erase_report_details(id, self.now(), &cause.actor)
            .await;
        if erased.map_err(|fault| self.fault_of_change(&fault))? {
            tracing::info!(report_id = %id, actor = cause.actor, "the values of a report are erased");
            Ok(())
        } else {
            Err(Reason::from(ReportRefusal::Unknown).into())
        }
    }

    async fn step(
        &self,
        report_id: ReportId,
        command: ReportCommand,
        status: ReportStatus,
        cause: &Cause,
    ) -> Result<ReportView, CommandError> {
        let change = Change {
            id: report_id.uuid(),
            command: Command::Report(command),
            cause: cause.clone(),
            row: Some(Row::ReportStatus { report_id, status }),
            named: None,
            once: false,
        };
        viewed(&self.change(change).await?)
    }

    /// Keyed hash of the account: consumers can tell reporters apart without knowing them.
    fn reporter(&self, account: AccountId) -> String {
        let hash = keyed_hash(
            self.policy.api_key_pepper.expose(),
            [account.uuid().as_bytes()],
        );
        let half: [u8; 16] = std::array::from_fn(|place| hash.get(place).copied().unwrap_or(0));
        Uuid::from_bytes(half).simple().to_string()
    }
}

fn viewed(state: &Aggregate) -> Result<ReportView, CommandError> {
    let view = match state {
        Aggregate::Report(report) => view(Report::clone(report)),
        _ => None,
    };
    view.ok_or_else(|| Reason::from(ReportRefusal::Unknown).into())
}

fn view(report: Report) -> Option<ReportView> {
    let status = report.status()?;
    let received = report.received?;
    let step = |step: crate::domain::report::Step| ReportStep {
        status: step.status,
        at: step.at,
        reason: step.reason,
        build: step.build,
    };
    Some(ReportView {
        report_id: received.report_id,
        status,
        subject_type: received.subject_type,
        service_id: received.service_id,
        issue_type: received.issue_type,
        issue_level: received.issue_level,
        field: received.field,
        created_at: received.received_at,
        history: report.history.into_iter().map(step).collect(),
    })
}
