//! A language model, where one is configured: asked what words mean that the local translation does not know (docs/DISCOVER.md,
//! "With a language model"). What it may say and what becomes of it is decided by [`discover::model`]; here is when and how
//! it is asked.
//!
//! Guarantees:
//! - A model that is slow, broken, hostile or gone costs a request at most the time limit; its failures in a row, no more than
//!   one request each pause. The local result stands then.
//! - At most so many calls are under way; beyond that nobody waits.
//! - What a sentence was given stays what it is given by the same build while this process remembers it, so that its pages and
//!   replays are of one query. That there was no answer is remembered for seconds, that one was not accepted for minutes.
//! - Only a server that does not answer is left alone for a while: no sentence has it left alone for the others.
//! - Nothing of a description or of an answer is logged or counted by.

mod breaker;
mod known;
mod wire;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::NaiveDate;
use discover::Translation;
use discover::model::Question;
use events_schema::record::RecordKind;
use http::Uri;
use service_kit::config::Secret;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};
use tracing::Instrument;

use super::lexicon::BuildLexicon;
use crate::metrics::Metrics;
use crate::search::files::BuildFiles;
use breaker::Breaker;
use known::{Awaited, Known, Said, Turn, UnderWay};
use wire::Wire;

pub use wire::{WireFault, base_url};

/// Where a model is and how long it is waited for.
#[derive(Debug, Clone)]
pub struct ModelConfig {
    /// The base of an OpenAI-compatible API, such as `http://127.0.0.1:8000/v1`.
    pub url: Uri,
    /// The name of the model.
    pub model: String,
    /// Sent as bearer token.
    pub key: Option<Secret<String>>,
    /// From the call to the last byte of the answer.
    pub time_limit: Duration,
    /// Most calls under way.
    pub calls: usize,
}

impl ModelConfig {
    /// What is set unless something else is.
    pub const TIME_LIMIT: Duration = Duration::from_millis(1_500);
    /// The longest that can be set: a request has 30 seconds in all.
    pub const LONGEST: Duration = Duration::from_secs(10);
    /// What is set unless something else is.
    pub const CALLS: usize = 16;
    /// The most that can be set.
    pub const MAX_CALLS: usize = 1_024;
}

/// What became of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A tree that was accepted.
    Accepted,
    /// An answer that was not, of whatever form.
    Rejected,
    /// No answer, or one that says that the server is not as it should be.
    Failed,
    /// No answer in time.
    TimedOut,
    /// Not asked: too many calls are under way.
    Busy,
    /// Not asked: it failed too often just before.
    Paused,
}

impl Outcome {
    /// For the metric.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
            Self::TimedOut => "timed_out",
            Self::Busy => "busy",
            Self::Paused => "paused",
        }
    }
}

/// A language model. Clones share its connections, its pause and what is known of it.
#[derive(Debug, Clone)]
pub struct Model(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    wire: Wire,
    time_limit: Duration,
    calls: Arc<Semaphore>,
    breaker: Mutex<Breaker>,
    known: Known,
    metrics: Metrics,
}

impl Model {
    /// The model at an address. It is not called yet.
    ///
    /// # Errors
    /// When the key cannot stand in a header, or the system has no certificates for an `https` address.
    pub fn new(config: ModelConfig, metrics: Metrics) -> Result<Self, WireFault> {
        Ok(Self(Arc::new(Inner {
            wire: Wire::new(&config.url, config.model, config.key.as_ref())?,
            time_limit: config.time_limit,
            calls: Arc::new(Semaphore::new(config.calls.min(ModelConfig::MAX_CALLS))),
            breaker: Mutex::default(),
            known: Known::default(),
            metrics,
        })))
    }

    /// What a description means with the model's help; none where the local result stands. It is asked only if words are open,
    /// and no two requests ask for the same sentence at once.
    pub(crate) async fn translation(
        &self,
        kind: RecordKind,
        text: &str,
        files: &Arc<BuildFiles>,
        today: NaiveDate,
    ) -> Option<Arc<Translation>> {
        let lexicon = BuildLexicon::of(Some(&files.columns));
        let question = Question::of(kind, text, &lexicon, today)?;
        let key = known::key(files, kind, text, today);
        let awaited = match self.0.known.turn(key, Instant::now()) {
            Turn::Known(said) => return said.translation(),
            Turn::Wait(awaited) => awaited,
            Turn::Ask(call) => self.begin(call, question, Arc::clone(files)),
        };
        // The call began no later than the wait, and ends within its time limit.
        awaited.said().await?.translation()
    }

    /// Begins a call, if there is room for it and the model is not left alone. It goes on when the request is given up: others
    /// may wait for it, and what it says is known for the next.
    fn begin(&self, call: UnderWay, question: Question, files: Arc<BuildFiles>) -> Awaited {
        let awaited = call.awaited();
        match self.permit() {
            Ok(permit) => {
                let model = self.clone();
                let asking = async move {
                    let answer = model.ask(&question).await;
                    drop(permit);
                    let accepted = answer.and_then(|answer| accept(&question, &answer, &files));
                    model.end(call, accepted);
                };
                tokio::spawn(asking.in_current_span());
            }
            Err(outcome) => self.end(call, Err(outcome)),
        }
        awaited
    }

    fn permit(&self) -> Result<OwnedSemaphorePermit, Outcome> {
        let calls = Arc::clone(&self.0.calls);
        let permit = calls.try_acquire_owned().map_err(|_| Outcome::Busy)?;
        if self.breaker(|breaker| breaker.lets_through(Instant::now())) {
            Ok(permit)
        } else {
            Err(Outcome::Paused)
        }
    }

    /// Counts what became of a call and tells those who wait for it.
    fn end(&self, call: UnderWay, accepted: Result<Translation, Outcome>) {
        let now = Instant::now();
        let (outcome, said) = match accepted {
            Ok(translation) => (Outcome::Accepted, Said::Accepted(Arc::new(translation))),
            Err(Outcome::Rejected) => (Outcome::Rejected, Said::rejected(now)),
            Err(outcome) => (outcome, Said::unanswered(now)),
        };
        self.0.metrics.model(outcome.name());
        call.end(said, now);
    }

    async fn ask(&self, question: &Question) -> Result<String, Outcome> {
        let answered = timeout(self.0.time_limit, self.0.wire.ask(question)).await;
        match answered {
            Ok(Ok(answer)) => {
                self.breaker(Breaker::answered);
                Ok(answer)
            }
            Ok(Err(fault)) if fault.is_answer() => {
                self.breaker(Breaker::answered);
                Err(rejected(&fault))
            }
            Ok(Err(fault)) => Err(self.failed(Outcome::Failed, &fault)),
            Err(_) => Err(self.failed(Outcome::TimedOut, &"it did not answer in time")),
        }
    }

    fn failed(&self, outcome: Outcome, why: &dyn std::fmt::Display) -> Outcome {
        if self.breaker(|breaker| breaker.failed(Instant::now())) {
            let seconds = breaker::PAUSE.as_secs();
            tracing::warn!(%why, seconds, "the language model is left alone for a while");
        }
        outcome
    }

    fn breaker<T>(&self, act: impl FnOnce(&mut Breaker) -> T) -> T {
        let breaker = self.0.breaker.lock();
        act(&mut breaker.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reads an answer by the build's words.
fn accept(question: &Question, answer: &str, files: &BuildFiles) -> Result<Translation, Outcome> {
    let lexicon = BuildLexicon::of(Some(&files.columns));
    let accepted = question.accept_json(answer.as_bytes(), &lexicon);
    accepted.map_err(|why| rejected(&why))
}

fn rejected(why: &dyn std::fmt::Display) -> Outcome {
    tracing::debug!(%why, "an answer of the language model is not accepted");
    Outcome::Rejected
}
