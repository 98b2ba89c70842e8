//! What must hold of a history and of the store behind it, whatever was done to the parts.
//!
//! Each answer has a `Request-ID`, and each charge event has the one of its request: so every 200 is found in the store with the very
//! credits and balance that its headers say, a request of which "nothing was charged" was told is found nowhere, and what is charged
//! without an answer belongs to a request whose outcome was told as unknown, or to which nothing was told. What gateway and mcp-server tell
//! for a service that they did not hear has an id of their own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use anyhow::Context;
use sqlx::Row as _;

use super::history::{Asked, Door, Entry, Wish};
use crate::{Answer, Customer, Stack};

/// At most so many violations of one history are told.
const TOLD: usize = 5;

/// What a fault allows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowed {
    /// A connection may break: the process that clients speak to was killed or cut off.
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
#[derive(Debug, Clone, Copy)]
struct Charge {
    customer: usize,
    credits: i64,
    balance_after: i64,
}

/// The charges of the customers by the request that each belongs to.
#[derive(Debug, Default)]
pub struct Charges(HashMap<String, Charge>);

const CHARGES: &str = "select request_id::text, (payload->>'credits')::bigint as credits,
    (payload->>'balance_after')::bigint as balance_after from event
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
        self.charged <= self.credits && self.bodies.len() <= 1 && !is_refused_after
    }
}

/// Compares a history with the charges in the store.
#[must_use]
pub fn check(history: &[Entry], charges: &Charges, allowed: Allowed) -> Findings {
    let mut checker = Checker {
        charges: charges.0.clone(),
        findings: Findings::default(),
        names: BTreeMap::new(),
        broken: BTreeMap::new(),
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
    /// By customer and door, requests without a name of which nobody knows who was told what: each may have been charged once.
    broken: BTreeMap<(usize, Door), i64>,
}

impl Checker {
    fn entry(&mut self, entry: &Entry, allowed: Allowed) -> anyhow::Result<()> {
        let asked = &entry.asked;
        match &entry.said {
            Err(why) => {
                if asked.name.is_none() {
                    self.breaks(asked);
                }
                // A gateway that lives says 503 for whatever it did not hear.
                anyhow::ensure!(allowed.broken, "no whole answer: {why}");
                Ok(())
            }
            Ok(answer) if answer.status == 200 => self.paid(asked, answer, entry.at + entry.took),
            Ok(answer) => self.refused(asked, answer, entry.at),
        }
    }

    fn paid(&mut self, asked: &Asked, answer: &Answer, at: Duration) -> anyhow::Result<()> {
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
                    && used == price,
                "the headers say {used} used and {remaining:?} left of a price of {price}, the store has {charge:?}"
            );
        }
        let Some(name) = &asked.name else {
            anyhow::ensure!(used == price, "a 200 without a name for {used} credits");
            self.findings.headers += used;
            return Ok(());
        };
        let told = self.told(asked.customer, name);
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
        let is_unknown = answer.at("/details/outcome") == "unknown";
        if !is_unknown && self.charges.contains_key(id) {
            anyhow::bail!(
                "charged, and told that it was not: {} {body}",
                answer.status
            );
        }
        match &asked.name {
            Some(name) if answer.status == 402 => {
                let told = self.told(asked.customer, name);
                told.refused = told.refused.max(Some(sent));
            }
            None if is_unknown => {
                let charge = self.charges.remove(id);
                self.findings.untold += charge.map_or(0, |charge| charge.credits);
                let is_told_for_another = charge.is_none() && asked.door != Door::Services;
                if is_told_for_another {
                    self.breaks(asked);
                }
            }
            Some(_) | None => {}
        }
        Ok(())
    }

    fn breaks(&mut self, asked: &Asked) {
        *self.broken.entry((asked.customer, asked.door)).or_default() += 1;
    }

    fn told(&mut self, customer: usize, name: &str) -> &mut Told {
        self.names.entry((customer, name.to_owned())).or_default()
    }

    /// At all doors: a charge does not say through which it came.
    fn broken_of(&self, customer: usize) -> i64 {
        let all = self.broken.iter().filter(|((of, _), _)| *of == customer);
        all.map(|(_, count)| count).sum()
    }

    /// What is left: charges of names whose answer was lost, then repeated for nothing; and those of requests that heard nothing.
    fn finish(mut self) -> Findings {
        let mut repeated: BTreeMap<usize, i64> = BTreeMap::new();
        for ((customer, name), told) in &self.names {
            self.findings.headers += told.credits;
            *repeated.entry(*customer).or_default() += told.credits - told.charged;
            if !told.is_kept() {
                self.findings
                    .violations
                    .push(format!("the name {name} of customer {customer}: {told:?}"));
            }
        }
        for charge in self.charges.values() {
            *repeated.entry(charge.customer).or_default() -= charge.credits;
        }
        // Every replay has its charge; what is charged above that went to requests without a name that were told nothing, one credit each.
        let surplus: i64 = repeated.values().map(|open| -open).sum();
        self.findings.untold += surplus;
        let is_explained = repeated.values().all(|open| *open <= 0)
            && repeated
                .iter()
                .all(|(customer, open)| -open <= self.broken_of(*customer));
        if !is_explained {
            self.findings.violations.push(format!(
                "charges that no answer explains, or replays that no charge does: {repeated:?}, {} without any answer: {:?}",
                self.broken.values().sum::<i64>(),
                self.broken
            ));
        }
        let more = self.findings.violations.len().saturating_sub(TOLD);
        self.findings.violations.truncate(TOLD);
        if more > 0 {
            self.findings.violations.push(format!("and {more} more"));
        }
        self.findings
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

    fn entry(asked: Asked, said: Result<Answer, String>) -> Entry {
        let (at, took) = (Duration::ZERO, Duration::ZERO);
        Entry {
            asked,
            at,
            took,
            said,
        }
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

    fn charges(charges: &[(&str, i64)]) -> Charges {
        let charge = |(id, balance_after): &(&str, i64)| {
            let (customer, credits) = (0, 1);
            let charge = Charge {
                customer,
                credits,
                balance_after: *balance_after,
            };
            ((*id).to_owned(), charge)
        };
        Charges(charges.iter().map(charge).collect())
    }

    fn violations(history: &[Entry], stored: &[(&str, i64)]) -> usize {
        let findings = check(history, &charges(stored), Allowed { broken: true });
        findings.violations.len()
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
            entry(UNNAMED, Err("reset".to_owned())),
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

    #[test]
    fn one_who_tells_for_a_service_that_he_did_not_hear_leaves_one_charge_open() {
        let told = |door| {
            let asked = Asked { door, ..UNNAMED };
            let unknown = unavailable("another", json!({ "outcome": "unknown" }));
            let stored = charges(&[("a", 9)]);
            let findings = check(&[entry(asked, unknown)], &stored, Allowed::default());
            (findings.untold, findings.violations.len())
        };
        assert_eq!(told(Door::Gateway), (1, 0));
        assert_eq!(told(Door::Tools), (1, 0));
        assert_eq!(told(Door::Services), (1, 1));
    }

    #[test]
    fn what_one_customer_was_not_told_explains_no_charge_of_another() {
        let unknown = |id, customer| {
            let asked = Asked {
                customer,
                door: Door::Gateway,
                ..UNNAMED
            };
            entry(asked, unavailable(id, json!({ "outcome": "unknown" })))
        };
        let found = |customer| {
            let history = [unknown("x", customer), unknown("y", customer)];
            let stored = charges(&[("a", 9), ("b", 8)]);
            let findings = check(&history, &stored, Allowed::default());
            findings.violations.len()
        };
        assert_eq!(found(0), 0);
        assert_eq!(found(1), 1);
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
        assert_eq!(violations(&twice, &[("a", 9), ("b", 8)]), 2);
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
