//! Acts of the public listener on shards that another instance owns: asked of the owner's internal listener.

use events_schema::api::admin::ReportView;
use events_schema::api::internal::{Answer, Answered, Call, Calls};
use events_schema::ids::{AccountId, ReportId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use service_kit::Problem;
use service_kit::client::{CallFault, Client};

use super::failure::{Failure, nobody, unanswered};
use super::internal::reports::FileReport;
use crate::application::{Application, CreditsOf, Filed};

/// The application of this instance and, through it, those of the others. Cheap to clone.
#[derive(Clone)]
pub struct Peers {
    application: Application,
    client: Client,
}

impl Peers {
    /// `client` sends the token of the internal listeners.
    #[must_use]
    pub const fn new(application: Application, client: Client) -> Self {
        Self {
            application,
            client,
        }
    }

    /// Answers a call here or at the owner. Never [`Answer::Elsewhere`].
    pub(super) async fn answer(&self, call: Call) -> Answer {
        match self.application.answer(call.clone()).await {
            Answer::Elsewhere {
                owner: Some(owner), ..
            } => self.answer_at(&owner, call).await,
            Answer::Elsewhere { owner: None, .. } => unavailable(),
            answer => answer,
        }
    }

    async fn answer_at(&self, owner: &str, call: Call) -> Answer {
        let calls = Calls { calls: vec![call] };
        let url = format!("{}/internal/calls", owner.trim_end_matches('/'));
        let mut answer = None;
        let asked = self.client.post_json_lines(&url, &calls, |line: Answered| {
            answer = line.answers.into_iter().next().map(|(_, answer)| answer);
        });
        if let Err(fault) = asked.await {
            tracing::warn!(%fault, "the owner of a shard did not answer");
        }
        match answer {
            Some(Answer::Elsewhere { .. }) | None => unavailable(),
            Some(answer) => answer,
        }
    }

    /// Files a report here or at the owner of its shard.
    pub(super) async fn file_report(&self, filing: &FileReport) -> Result<Filed, Problem> {
        let FileReport { report, cause } = filing;
        match self.application.file_report(report.clone(), cause).await {
            Ok(filed) => Ok(filed),
            Err(error) => match Failure::from(error) {
                Failure::Elsewhere(owner) => {
                    let filed = self.post(&owner, "reports", filing).await;
                    filed.map_err(|fault| unanswered(&fault))
                }
                Failure::Problem(problem) => Err(problem),
            },
        }
    }

    /// A report that the account has filed. It is read in the store, whoever owns its shard.
    pub(super) async fn report_of(
        &self,
        account: AccountId,
        report_id: ReportId,
    ) -> Result<ReportView, Problem> {
        let report = self.application.report_of(account, report_id).await;
        report.map_err(|error| Failure::from(error).into_problem())
    }

    /// The contracts of a key's account, or why there is no answer to the key now.
    pub(super) async fn credits(&self, api_key: &str) -> Result<CreditsOf, Problem> {
        match self.application.credits(api_key).await {
            Ok(credits) => Ok(credits),
            Err(error) => match Failure::from(error) {
                Failure::Elsewhere(owner) => {
                    let body = json!({"api_key": api_key});
                    let credits = self.post(&owner, "credits", &body).await;
                    // It changes nothing, whatever became of it.
                    credits.map_err(|_fault| nobody())
                }
                Failure::Problem(problem) => Err(problem),
            },
        }
    }

    async fn post<Q, T>(&self, owner: &str, path: &str, body: &Q) -> Result<T, CallFault>
    where
        Q: Serialize + ?Sized,
        T: DeserializeOwned,
    {
        let url = format!("{}/internal/{path}", owner.trim_end_matches('/'));
        let answer = self.client.post_json(&url, body).await;
        answer.inspect_err(|fault| {
            tracing::warn!(%fault, path, "the owner of a shard did not answer");
        })
    }
}

fn unavailable() -> Answer {
    Answer::Unavailable {
        component: "ledger".to_owned(),
        retry_after_seconds: 1,
    }
}
