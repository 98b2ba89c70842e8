//! From the answer of an admission that is none to the error body (`docs/API.md`, "Errors").

use events_schema::api::internal::{Answer, RateWindow, Refusal};
use events_schema::api::refusal::{Asked, Told};
use events_schema::api::usage::Usage;
use service_kit::Problem;

/// The problem behind an answer that admits nothing.
pub(super) fn problem(answer: Answer, asked: &Asked<'_>) -> Problem {
    match answer {
        Answer::Refused {
            refusal,
            rate,
            standing,
        } => {
            let usage = Usage::of_refusal(&refusal, rate, standing);
            told(refusal.told(asked, rate.as_ref()), usage)
        }
        answer => unanswered(answer),
    }
}

/// The problem behind an answer by which nobody may read what is its account's.
pub(super) fn not_seen(answer: Answer) -> Problem {
    match answer {
        Answer::Refused { refusal, rate, .. } => of_own_account(&refusal, rate),
        answer => unanswered(answer),
    }
}

/// Why nobody may read what is its account's: the key, or the limit of that.
pub(super) fn of_own_account(refusal: &Refusal, rate: Option<RateWindow>) -> Problem {
    let usage = Usage::of_reader_refusal(refusal, rate);
    told(refusal.told_to_reader(rate.as_ref()), usage)
}

fn told(told: Told, usage: Usage) -> Problem {
    Problem::new(told.kind, told.message)
        .details(told.details)
        .add_headers(told.headers)
        .add_headers(usage.headers())
}

/// The problem of a part that did not do what was asked.
fn unanswered(answer: Answer) -> Problem {
    match answer {
        Answer::Unavailable {
            component,
            retry_after_seconds,
        } => Problem::unavailable(&component, retry_after_seconds.into()),
        Answer::Unknown {
            retry_after_seconds,
        } => Problem::unknown_outcome("ledger", retry_after_seconds.into()),
        Answer::Refused { .. }
        | Answer::Admitted { .. }
        | Answer::Replay { .. }
        | Answer::Noted { .. }
        | Answer::Settled { .. }
        | Answer::SettledBefore { .. }
        | Answer::Released { .. }
        | Answer::Valid(_)
        | Answer::Seen { .. }
        | Answer::Elsewhere { .. } => {
            tracing::error!("the ledger answered something else than was asked");
            Problem::internal()
        }
    }
}
