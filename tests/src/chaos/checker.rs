//! What must hold of a history and of the store behind it, whatever was done to the parts.
//!
//! Each answer has a `Request-ID`, and each charge event has the one of its request: so every 200 is found in the store with the very
//! credits and balance that its headers say. What gateway and mcp-server tell for a service that they did not hear has an id of their own;
//! but each request has a trace, too, which its charge carries through whatever door it came: so a request of which "nothing was charged"
//! was told is found nowhere, and what is charged without an answer belongs to one request whose outcome was told as unknown, or to which
//! nothing was told. Where that has a name, it is the one charge of the name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use anyhow::Context;
use sqlx::Row as _;

use super::history::{Asked, Entry, Wish};
use crate::{Answer, Customer, Stack};

/// At most so many violations of one history are told.
const TOLD: usize = 5;

/// What a fault allows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowed {
    /// A connection may break: the process that clients speak to, a service or the gateway, was killed or cut off.
    pub broken: bool,
}

/// Credits charged to all customers, in four places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Charged {
    /// The events of the store.
    pub store: i64,
    /// The messages of the topic.
    pub topic: i64,
    /// The ledger of the read model.
    pub ledger: i64,
    /// What the answers say.
    pub headers: i64,
    /// What is charged to unnamed requests that were told "unknown", or nothing at all.
    pub untold: i64,
}

/// A charge as the store has it.
#[derive(Debug, Clone)]
struct Charge {
    customer: usize,
    /// Of the request that it is charged to.
    trace: String,
    credits: i64,
    balance_after: i64,
}

/// The charges of the customers by the request that each belongs to.
#[derive(Debug, Default)]
pub struct Charges(HashMap<String, Charge>);

const CHARGES: &str = "select request_id::text, (payload->>'credits')::bigint as credits,
    (payload->>'balance_after')::bigint as balance_after,
    coalesce(split_part(traceparent, '-', 2), '') as trace from event
    where aggregate_id = $1::uuid and event_type = 'contract.credits_charged.v1'";

impl Charges {
    /// Reads them from the store.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn read(stack: &Stack, customers: &[Customer]) -> anyhow::Result<Self> {
        let mut charges = HashMap::new();
        for (customer, one) in customers.iter().enumerate() {
            let rows = sqlx::query(CHARGES).bind(&one.contract_id);
            for row in rows.fetch_all(stack.event_store()).await? {
                let charge = Charge {
                    customer,
                    trace: row.try_get("trace")?,
                    credits: row.try_get("credits")?,
                    balance_after: row.try_get("balance_after")?,
                };
                charges.insert(row.try_get("request_id")?, charge);
            }
        }
        Ok(Self(charges))
    }
}

/// The sums, and what does not hold.
#[derive(Debug, Default)]
pub struct Findings {
    /// Credits that the answers say.
    pub headers: i64,
    /// Credits charged without an answer that says so.
    pub untold: i64,
    /// What does not hold, in words.
    pub violations: Vec<String>,
}

/// All requests under one name, or one without.
#[derive(Debug, Default)]
struct Told {
    credits: i64,
    /// By the store: what its answers say, and what was charged to a request under it that heard nothing of that.
    charged: i64,
    bodies: BTreeSet<String>,
    /// When the first 200 was there.
    answered: Option<Duration>,
    /// When the last request that was told 402 was sent.
    refused: Option<Duration>,
}

impl Told {
    /// A 402 says what is free now and binds nothing: credits that other requests hold come back, and the same name may be paid then.
    /// What was answered is answered again, whatever is free.
    fn is_kept(&self) -> bool {
        let is_refused_after =
            (self.refused.zip(self.answered)).is_some_and(|(refused, answered)| refused > answered);
        self.charged == self.credits && self.bodies.len() <= 1 && !is_refused_after
    }
}

/// Compares a history with the charges in the store.
#[must_use]
pub fn check(history: &[Entry], charges: &Charges, allowed: Allowed) -> Findings {
    let mut checker = Checker {
        charges: charges.0.clone(),
        findings: Findings::default(),
        names: BTreeMap::new(),
        requests: HashMap::new(),
    };
    for entry in history {
        if let Err(why) = checker.entry(entry, allowed) {
            let what = format!("{why:#} ({:?} at {:?})", entry.asked, entry.at);
            checker.findings.violations.push(what);
        }
    }
    checker.finish()
}

struct Checker {
    /// What no answer has claimed yet.
    charges: HashMap<String, Charge>,
    findings: Findings,
    names: BTreeMap<(usize, String), Told>,
    /// By their traces.
    requests: HashMap<String, Request>,
}

/// One request: whom a charge can belong to that no answer speaks of.
#[derive(Debug)]
struct Request {
    customer: usize,
    name: Option<String>,
    word: Word,
}

/// What a request was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Paid,
    NotCharged,
    /// Nothing, or that the outcome is unknown.
    Open,
}

impl Word {
    fn of(entry: &Entry) -> Self {
        match &entry.said {
            Ok(answer) if answer.status == 200 => Self::Paid,
            Ok(answer) if !is_open(answer) => Self::NotCharged,
            Ok(_) | Err(_) => Self::Open,
        }
    }
}

/// Whether it leaves open what was charged. Another request under the same name is at work: so may be this one, asked a second time
/// behind the door.
fn is_open(answer: &Answer) -> bool {
    answer.at("/details/outcome") == "unknown" || answer.status == 409
}

impl Checker {
    fn entry(&mut self, entry: &Entry, allowed: Allowed) -> anyhow::Result<()> {
        let asked = &entry.asked;
        let request = Request {
            customer: asked.customer,
            name: asked.name.clone(),
            word: Word::of(entry),
        };
        self.requests.insert(entry.trace.clone(), request);
        match &entry.said {
            // A gateway that lives says 503 for whatever it did not hear.
            Err(why) => {
                anyhow::ensure!(allowed.broken, "no whole answer: {why}");
                Ok(())
            }
            Ok(answer) if answer.status == 200 => self.paid(entry, answer),
            Ok(answer) => self.refused(asked, answer, entry.at),
        }
    }

    fn paid(&mut self, entry: &Entry, answer: &Answer) -> anyhow::Result<()> {
        let (asked, at) = (&entry.asked, entry.at + entry.took);
        let price = price(asked.wish, answer).context("a 200 with no answer to it")?;
        let used = answer.number("Credits-Used");
        let used = used
            .or((price == 0).then_some(0))
            .context("no Credits-Used")?;
        let charge = self.charges.remove(request_id(answer)?);
        if used > 0 || charge.is_some() {
            let charge = charge.context("a 200 that is not in the store")?;
            let remaining = answer.number("Credits-Remaining");
            anyhow::ensure!(
                (charge.customer, charge.credits, Some(charge.balance_after))
                    == (asked.customer, used, remaining)
                    && charge.trace == entry.trace
                    && used == price,
                "the headers say {used} used and {remaining:?} left of a price of {price}, the store has {charge:?}"
            );
        }
        let Some(name) = &asked.name else {
            anyhow::ensure!(used == price, "a 200 without a name for {used} credits");
            self.findings.headers += used;
            return Ok(());
        };
        let told = self.record_of(asked.customer, name);
        told.credits = price;
        told.charged += used;
        told.bodies.insert(answer.body.to_string());
        told.answered = Some(told.answered.map_or(at, |first| first.min(at)));
        Ok(())
    }

    fn refused(&mut self, asked: &Asked, answer: &Answer, sent: Duration) -> anyhow::Result<()> {
        let body = &answer.body;
        let id = request_id(answer)?;
        let is_whole = !answer.error().is_empty()
            && answer.at("/message").is_string()
            && answer.at("/request_id") == id
            && answer.at("/retryable").is_boolean()
            && answer.at("/details").is_object();
        anyhow::ensure!(is_whole, "{} with the body {body}", answer.status);
        let is_allowed = match answer.status {
            402 => ["insufficient_credits", "contract_exhausted"].contains(&answer.error()),
            404 => matches!(asked.wish, Wish::Nobody(_)),
            409 => asked.name.is_some() && answer.at("/details/reason") == "in_progress",
            503 => answer.number("Retry-After").is_some_and(|after| after > 0),
            _ => false,
        };
        anyhow::ensure!(is_allowed, "{} {:?} {body}", answer.status, answer.headers);
        if answer.at("/details/outcome") != "unknown" && self.charges.contains_key(id) {
            anyhow::bail!(
                "charged, and told that it was not: {} {body}",
                answer.status
            );
        }
        if let Some(name) = &asked.name
            && answer.status == 402
        {
            let told = self.record_of(asked.customer, name);
            told.refused = told.refused.max(Some(sent));
        }
        Ok(())
    }

    fn record_of(&mut self, customer: usize, name: &str) -> &mut Told {
        self.names.entry((customer, name.to_owned())).or_default()
    }

    /// What is left are charges that no answer speaks of. Then each name has been charged what its answers give, once.
    fn finish(mut self) -> Findings {
        for (id, charge) in std::mem::take(&mut self.charges) {
            if let Err(why) = self.unspoken(&charge) {
                let what = format!("{why:#}: {id} {charge:?}");
                self.findings.violations.push(what);
            }
        }
        for ((customer, name), told) in &self.names {
            self.findings.headers += told.credits;
            if !told.is_kept() {
                self.findings
                    .violations
                    .push(format!("the name {name} of customer {customer}: {told:?}"));
            }
        }
        let more = self.findings.violations.len().saturating_sub(TOLD);
        self.findings.violations.truncate(TOLD);
        if more > 0 {
            self.findings.violations.push(format!("and {more} more"));
        }
        self.findings
    }

    /// Finds whom a charge belongs to.
    fn unspoken(&mut self, charge: &Charge) -> anyhow::Result<()> {
        let request = self.requests.get(&charge.trace);
        let request = request.context("charged, and nobody asked for it")?;
        anyhow::ensure!(
            request.customer == charge.customer,
            "charged to another customer: {request:?}"
        );
        anyhow::ensure!(
            request.word != Word::NotCharged,
            "charged, and told that it was not: {request:?}"
        );
        if let Some(name) = request.name.clone() {
            self.record_of(charge.customer, &name).charged += charge.credits;
            return Ok(());
        }
        anyhow::ensure!(
            request.word == Word::Open,
            "charged once more than was told: {request:?}"
        );
        // It explains this one charge, and no other.
        self.requests.remove(&charge.trace);
        self.findings.untold += charge.credits;
        Ok(())
    }
}

fn request_id(answer: &Answer) -> anyhow::Result<&str> {
    answer.header("Request-ID").context("no Request-ID")
}

/// What the answer costs by what it gives.
fn price(wish: Wish, answer: &Answer) -> Option<i64> {
    match wish {
        Wish::Credits => return answer.at("/contracts").is_array().then_some(0),
        Wish::Report => return answer.at("/report_id").is_string().then_some(0),
        Wish::Person(_) | Wish::Nobody(_) | Wish::Page(_) => {}
    }
    let matches = answer.at("/matches").as_array().map(Vec::len)?;
    let is_as_wished = match wish {
        Wish::Person(_) => matches == 1,
        Wish::Nobody(_) | Wish::Credits | Wish::Report => false,
        Wish::Page(size) => u32::try_from(matches) == Ok(size),
    };
    is_as_wished.then(|| i64::try_from(matches).ok()).flatten()
}

/// A text of the answers by their status.
#[must_use]
pub fn answers(history: &[Entry]) -> String {
    let mut by_label: BTreeMap<String, usize> = BTreeMap::new();
    for entry in history {
        *by_label.entry(entry.label()).or_default() += 1;
    }
    let each: Vec<_> = by_label
        .iter()
        .map(|(label, count)| format!("{label}×{count}"))
        .collect();
    each.join(" ")
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
    use serde_json::{Value, json};

    use super::super::history::Door;
    use super::*;

    const UNNAMED: Asked = Asked {
        customer: 0,
        door: Door::Services,
        wish: Wish::Person(1),
        name: None,
    };

    fn named(name: &str) -> Asked {
        Asked {
            name: Some(name.to_owned()),
            ..UNNAMED
        }
    }

    /// Its trace is named as its answer is.
    fn entry(asked: Asked, said: Result<Answer, String>) -> Entry {
        let (at, took) = (Duration::ZERO, Duration::ZERO);
        let id = said
            .as_ref()
            .ok()
            .and_then(|answer| request_id(answer).ok());
        Entry {
            trace: id.unwrap_or_default().to_owned(),
            asked,
            at,
            took,
            said,
        }
    }

    /// Its answer, if any, was told by somebody before the service, under another id.
    fn traced(trace: &str, entry: Entry) -> Entry {
        let trace = trace.to_owned();
        Entry { trace, ..entry }
    }

    fn at(sent: u64, entry: Entry) -> Entry {
        let at = Duration::from_millis(sent);
        Entry { at, ..entry }
    }

    fn answer(
        status: u16,
        headers: &[(&'static str, &str)],
        body: Value,
    ) -> Result<Answer, String> {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                let value = HeaderValue::from_str(value).unwrap();
                (HeaderName::from_static(name), value)
            })
            .collect();
        Ok(Answer {
            status,
            headers,
            body,
        })
    }

    fn paid(id: &str, used: &str, left: &str) -> Result<Answer, String> {
        let headers = [
            ("request-id", id),
            ("credits-used", used),
            ("credits-remaining", left),
        ];
        answer(200, &headers, json!({ "matches": [{}] }))
    }

    fn unavailable(id: &str, details: Value) -> Result<Answer, String> {
        let body = json!({ "error": "service_unavailable", "message": "…", "request_id": id, "retryable": true, "details": details });
        answer(503, &[("request-id", id), ("retry-after", "2")], body)
    }

    fn exhausted(id: &str) -> Result<Answer, String> {
        let body = json!({ "error": "insufficient_credits", "message": "…", "request_id": id, "retryable": false, "details": {} });
        answer(402, &[("request-id", id)], body)
    }

    /// Each with its id, its trace and the balance after it.
    fn charges_of(charges: &[(&str, &str, i64)]) -> Charges {
        let charge = |(id, trace, balance_after): &(&str, &str, i64)| {
            let charge = Charge {
                customer: 0,
                trace: (*trace).to_owned(),
                credits: 1,
                balance_after: *balance_after,
            };
            ((*id).to_owned(), charge)
        };
        Charges(charges.iter().map(charge).collect())
    }

    /// Each of them in the trace of its id.
    fn charges(charges: &[(&str, i64)]) -> Charges {
        let charges: Vec<_> = charges.iter().map(|(id, left)| (*id, *id, *left)).collect();
        charges_of(&charges)
    }

    fn violations_of(history: &[Entry], stored: &[(&str, &str, i64)]) -> usize {
        let findings = check(history, &charges_of(stored), Allowed { broken: true });
        findings.violations.len()
    }

    fn violations(history: &[Entry], stored: &[(&str, i64)]) -> usize {
        let stored: Vec<_> = stored.iter().map(|(id, left)| (*id, *id, *left)).collect();
        violations_of(history, &stored)
    }

    #[test]
    fn what_is_paid_and_told_as_it_is_is_found_right() {
        let history = [
            entry(UNNAMED, paid("a", "1", "9")),
            entry(UNNAMED, unavailable("b", json!({}))),
            entry(UNNAMED, unavailable("c", json!({ "outcome": "unknown" }))),
            entry(
                named("n"),
                unavailable("d", json!({ "outcome": "unknown" })),
            ),
            entry(named("n"), paid("e", "0", "7")),
            traced("f", entry(UNNAMED, Err("reset".to_owned()))),
        ];
        let stored = charges(&[("a", 9), ("c", 8), ("d", 7), ("f", 6)]);
        let findings = check(&history, &stored, Allowed { broken: true });
        assert!(findings.violations.is_empty(), "{findings:?}");
        assert_eq!((findings.headers, findings.untold), (2, 2));
        assert_eq!(
            check(&history, &stored, Allowed::default())
                .violations
                .len(),
            1
        );
    }

    fn unknown() -> Result<Answer, String> {
        unavailable("the gateway's", json!({ "outcome": "unknown" }))
    }

    #[test]
    fn one_who_tells_for_a_service_that_he_did_not_hear_leaves_one_charge_open() {
        for door in [Door::Gateway, Door::Tools] {
            let asked = Asked { door, ..UNNAMED };
            let history = [traced("a", entry(asked, unknown()))];
            let findings = check(&history, &charges(&[("a", 9)]), Allowed::default());
            assert!(findings.violations.is_empty(), "{findings:?}");
            assert_eq!((findings.headers, findings.untold), (0, 1));
            // The charge of somebody who was told nothing explains no other.
            assert_eq!(violations(&history, &[("b", 9)]), 1);
            let of_one_trace = [("a", "a", 9), ("b", "a", 8)];
            assert_eq!(violations_of(&history, &of_one_trace), 1);
        }
    }

    #[test]
    fn unknown_answers_hide_no_second_charge_of_a_name() {
        let asked = |name: Option<&str>| Asked {
            door: Door::Gateway,
            name: name.map(str::to_owned),
            ..UNNAMED
        };
        let mut history: Vec<_> = (0..50)
            .map(|number| traced(&format!("unnamed {number}"), entry(asked(None), unknown())))
            .collect();
        history.push(traced("first", entry(asked(Some("n")), unknown())));
        history.push(entry(asked(Some("n")), paid("a", "0", "9")));
        assert_eq!(violations(&history, &[("first", 9)]), 0);
        let twice = [("first", 9), ("a second", 8)];
        assert_eq!(violations(&history, &twice), 1);
        history.push(traced("second", entry(asked(Some("n")), unknown())));
        let twice = [("first", 9), ("second", 8)];
        assert_eq!(violations(&history, &twice), 1);
    }

    #[test]
    fn no_door_hides_what_was_charged_and_told_otherwise() {
        let asked = Asked {
            door: Door::Gateway,
            ..UNNAMED
        };
        let denied = unavailable("the gateway's", json!({}));
        let history = [traced("a", entry(asked.clone(), denied))];
        assert_eq!(violations(&history, &[]), 0);
        assert_eq!(violations(&history, &[("a", 9)]), 1);
        let history = [entry(asked, paid("a", "1", "9"))];
        assert_eq!(violations(&history, &[("a", 9)]), 0);
        let once_more = [("a", "a", 9), ("b", "a", 8)];
        assert_eq!(violations_of(&history, &once_more), 1);
    }

    #[test]
    fn an_answer_that_breaks_off_is_allowed_at_no_door_unless_who_gives_it_was_killed() {
        for door in [Door::Services, Door::Gateway, Door::Tools] {
            let asked = Asked { door, ..UNNAMED };
            let history = [entry(asked, Err("reset".to_owned()))];
            let found = |allowed| check(&history, &charges(&[]), allowed).violations.len();
            assert_eq!(found(Allowed::default()), 1, "{door:?}");
            assert_eq!(found(Allowed { broken: true }), 0, "{door:?}");
        }
    }

    #[test]
    fn each_broken_promise_is_a_violation() {
        let unpaid = [entry(UNNAMED, paid("a", "1", "9"))];
        assert_eq!(violations(&unpaid, &[]), 1);
        assert_eq!(violations(&unpaid, &[("a", 8)]), 1);
        let denied = [entry(UNNAMED, unavailable("a", json!({})))];
        assert_eq!(violations(&denied, &[("a", 9)]), 2);
        let twice = [
            entry(named("n"), paid("a", "1", "9")),
            entry(named("n"), paid("b", "1", "8")),
        ];
        assert_eq!(violations(&twice, &[("a", 9), ("b", 8)]), 1);
        let unpaid_replay = [entry(named("n"), paid("a", "0", "9"))];
        assert_eq!(violations(&unpaid_replay, &[]), 1);
        let wordless = [entry(
            UNNAMED,
            answer(503, &[("request-id", "a")], Value::Null),
        )];
        assert_eq!(violations(&wordless, &[]), 1);
        let nobody_asked = [entry(named("n"), paid("a", "1", "9"))];
        assert_eq!(violations(&nobody_asked, &[("a", 9), ("z", 8)]), 1);
    }

    #[test]
    fn a_name_may_be_refused_until_it_is_paid_and_never_after() {
        let refused = |sent| at(sent, entry(named("n"), exhausted("b")));
        let paid = || at(5, entry(named("n"), paid("a", "1", "9")));
        assert_eq!(violations(&[refused(4), paid()], &[("a", 9)]), 0);
        assert_eq!(violations(&[paid(), refused(5)], &[("a", 9)]), 0);
        assert_eq!(violations(&[paid(), refused(6)], &[("a", 9)]), 1);
        assert_eq!(violations(&[refused(6), paid()], &[("a", 9)]), 1);
    }
}
