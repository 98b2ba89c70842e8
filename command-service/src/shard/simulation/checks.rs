//! What must be true after every schedule.

use std::collections::{BTreeMap, BTreeSet};

use events_schema::api::limits::RATE_WINDOW_SECONDS;
use events_schema::{Credits, Event};
use uuid::Uuid;

use super::postgres::is_movement;
use super::world::World;

/// The promises that the schedule broke, in words; how many rate windows after the first one of a key were looked at.
pub(super) fn broken(world: &World) -> (Vec<String>, u64) {
    let mut broken = world.history.broken.clone();
    positions(world, &mut broken);
    balances(world, &mut broken);
    ends(world, &mut broken);
    charges(world, &mut broken);
    answers(world, &mut broken);
    holds(world, &mut broken);
    let later_windows = limits(world, &mut broken);
    (broken, later_windows)
}

/// No gap: in the shard, in each topic, in each aggregate.
fn positions(world: &World, broken: &mut Vec<String>) {
    let mut topics: BTreeMap<usize, i64> = BTreeMap::new();
    let mut seqs: BTreeMap<Uuid, i64> = BTreeMap::new();
    for (event, pos) in world.postgres.events.iter().zip(1..) {
        let topic_seq = topics.entry(event.event.topic().index()).or_default();
        let seq = seqs.entry(event.aggregate_id).or_default();
        (*topic_seq, *seq) = (*topic_seq + 1, *seq + 1);
        if (event.pos, event.topic_seq, event.seq) != (pos, *topic_seq, *seq) {
            broken.push(format!("there is a gap before position {}", event.pos));
        }
    }
}

/// Sum of grants less charges = balance, after every event, and never below zero.
fn balances(world: &World, broken: &mut Vec<String>) {
    let mut balances: BTreeMap<Uuid, i64> = BTreeMap::new();
    let (mut made, mut ended) = (BTreeSet::new(), BTreeSet::new());
    for event in &world.postgres.events {
        let balance = balances.entry(event.aggregate_id).or_default();
        let after = match &event.event {
            Event::ContractCreated(created) => {
                if !made.insert(event.aggregate_id) {
                    broken.push(format!("{} is made twice", created.contract_id));
                }
                *balance += created.credits.0;
                continue;
            }
            Event::CreditsGranted(granted) => {
                if ended.contains(&event.aggregate_id) {
                    broken.push(format!(
                        "{} is ended and was granted to",
                        granted.contract_id
                    ));
                }
                *balance += granted.credits.0;
                granted.balance_after
            }
            Event::CreditsCharged(charged) => {
                *balance -= charged.credits.0;
                charged.balance_after
            }
            Event::ContractEnded(end) => {
                if !ended.insert(event.aggregate_id) {
                    broken.push(format!("{} is ended twice", end.contract_id));
                }
                end.balance_after
            }
            _ => continue,
        };
        if after.0 != *balance || *balance < 0 {
            let at = event.pos;
            broken.push(format!(
                "the balance at position {at} is {after}, its sum {balance}"
            ));
        }
    }
}

/// A contract is told as over only where the end of one of the account's is stored: none of them expires.
fn ends(world: &World, broken: &mut Vec<String>) {
    let events = world.postgres.events.iter();
    let ended = events.filter_map(|event| match &event.event {
        Event::ContractEnded(end) => Some(end.account_id),
        _ => None,
    });
    let ended: BTreeSet<_> = ended.collect();
    if world
        .told_as_over
        .iter()
        .any(|account| !ended.contains(account))
    {
        broken.push("a contract was told as over that nobody ended".to_owned());
    }
}

/// One charge a name, one movement a request.
fn charges(world: &World, broken: &mut Vec<String>) {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut requests: BTreeSet<Uuid> = BTreeSet::new();
    for event in &world.postgres.events {
        let is_report = matches!(event.event, Event::ReportReceived(_));
        if !is_movement(&event.event) && !is_report {
            continue;
        }
        if let (Event::CreditsCharged(charged), Some(cost)) =
            (&event.event, world.history.costs.get(&event.request_id))
            && charged.credits != *cost
        {
            let (credits, at) = (charged.credits, event.pos);
            broken.push(format!(
                "position {at} charges {credits} for what costs {cost}"
            ));
        }
        if !requests.insert(event.request_id) {
            broken.push(format!("one movement a request: {}", event.request_id));
        }
        let request = world.history.requests.get(&event.request_id);
        if let Some((Some(name), _)) = request
            && !names.insert(name)
        {
            broken.push(format!("one charge a name: {name:?} was charged twice"));
        }
    }
    for told in &world.history.told_nothing {
        if requests.contains(told) {
            broken.push(format!("it was told that nothing is charged for {told}"));
        }
    }
}

/// Every answer that reached its client was paid, by the credits and with the balance that it says; every replay repeats a
/// charge under its name.
fn answers(world: &World, broken: &mut Vec<String>) {
    for delivered in &world.history.delivered {
        let id = delivered.request_id;
        let charge = world
            .postgres
            .events
            .iter()
            .find_map(|event| match &event.event {
                Event::CreditsCharged(charged) if event.request_id == id => Some(charged),
                _ => None,
            });
        let is_paid = match charge {
            Some(charged) => {
                charged.credits == delivered.credits
                    && delivered.remaining == Some(charged.balance_after)
            }
            // Nothing delivered to a request without a name.
            None => delivered.credits == Credits::ZERO,
        };
        if !is_paid {
            broken.push(format!("every delivered answer is paid: {id} is not"));
        }
    }
    for replayed in &world.history.replayed {
        let is_of = |event: &events_schema::Envelope| {
            let request = world.history.requests.get(&event.request_id);
            matches!(request, Some((Some(name), number))
                if *name == replayed.name && replayed.total == Some(*number))
        };
        if !world.postgres.events.iter().any(is_of) {
            broken.push(format!(
                "{:?} replays what was never charged",
                replayed.name
            ));
        }
    }
}

/// What was set aside for a request is there when it is settled, as long as its hold lives and one process owns the shard.
fn holds(world: &World, broken: &mut Vec<String>) {
    if world.history.is_unheld || !world.faults.keeps_its_owner() {
        return;
    }
    for request in &world.history.not_covered {
        broken.push(format!("what was held for {request} is gone"));
    }
}

/// What clocks and ways may differ by.
const SLACK: u64 = 10;

/// No window lets more than its limit through. One begins with the first request that is counted in it, so between the coming of
/// the first and the answer to the first that was let through; whatever is answered within a window's length after that
/// coming was counted in it. Where it cannot be told to which of two windows a request belongs, no later one is looked at.
fn limits(world: &World, broken: &mut Vec<String>) -> u64 {
    let length = u64::from(RATE_WINDOW_SECONDS) * 1_000;
    let (limit, mut later_windows) = (world.rate_limit(), 0);
    for (of, passed) in &world.history.passed {
        let came = world.history.came.get(of).map_or(&[][..], Vec::as_slice);
        let answered = |ticket| world.history.answered.get(ticket).copied();
        let mut begins = came.first().map(|(at, _)| *at);
        let mut is_first = true;
        while let Some(from) = begins {
            let let_through = passed.iter().filter(|at| **at >= from);
            let Some(first) = let_through.clone().min().copied() else {
                break;
            };
            let inside = let_through.filter(|at| **at + SLACK < from + length);
            let inside = inside.count();
            if inside > limit {
                broken.push(format!("rate limit: {inside} passed a limit of {limit}"));
            }
            later_windows += u64::from(!is_first);
            is_first = false;
            let ends = (from + length - SLACK)..=(first + length + SLACK);
            let is_unclear = came.iter().any(|(at, ticket)| {
                let is_pending = answered(ticket).is_none_or(|then| then >= *ends.start());
                ends.contains(at) || (at < ends.start() && is_pending)
            });
            let next = came.iter().find(|(at, _)| at > ends.end());
            begins = next.filter(|_| !is_unclear).map(|(at, _)| *at);
        }
    }
    later_windows
}
