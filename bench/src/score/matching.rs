//! Asks every query, a few at a time, and counts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use events_schema::record::Confidence;
use futures::StreamExt as _;

use crate::door::{Answer, Door};
use crate::linkage::Requests;
use crate::query::Query;
use crate::report;

/// Requests at once, as a customer with a pool of connections sends them.
const CALLERS: usize = 8;
/// Shown requests at most.
const MAX_SHOWN: usize = 500;

/// Answers to the requests of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) queries: u32,
    pub(crate) answered: u32,
    pub(crate) right: u32,
    /// 404 with the reason `ambiguous`.
    pub(crate) ambiguous: u32,
    /// Neither 200 nor 404.
    refused: u32,
    /// Answers, and the right ones among them.
    by_level: BTreeMap<Confidence, (u32, u32)>,
    pub(crate) times: Vec<Duration>,
}

/// Answers by kind, and by kind and noise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tallies {
    pub(crate) by_kind: BTreeMap<(String, String), Tally>,
    pub(crate) by_noise: BTreeMap<(String, String), Tally>,
}

/// Asks all; what came back is added to `requests`, too.
pub(crate) async fn ask(
    door: &Door,
    queries: Vec<Query>,
    show: &[String],
    mut requests: Option<&mut Requests>,
) -> anyhow::Result<Tallies> {
    let mut tallies = Tallies::default();
    let mut shown = 0;
    let mut answers = futures::stream::iter(queries)
        .map(|query| async move {
            let started = Instant::now();
            let answer = door.ask(query.subject, &query.body).await;
            (query, answer, started.elapsed())
        })
        .buffer_unordered(CALLERS);
    while let Some((query, answer, time)) = answers.next().await {
        let answer = answer?;
        let is_shown = show
            .iter()
            .any(|wanted| query.kind == *wanted || query.noise.contains(wanted));
        if is_shown && shown < MAX_SHOWN && !is_right(&query, &answer) {
            shown += 1;
            report::wrong(&query, &answer);
        }
        if let Some(requests) = requests.as_deref_mut() {
            requests.add(&query, &answer, time)?;
        }
        tallies.count(&query, &answer, time);
    }
    Ok(tallies)
}

fn is_right(query: &Query, answer: &Answer) -> bool {
    match (answer, &query.truth) {
        (Answer::Found(id, _), Some(truth)) => id == truth,
        // Some of the generator's addresses are none; how many may be refused is the bar's.
        (Answer::Nothing(_) | Answer::Refused(_), None) => true,
        _ => false,
    }
}

impl Tallies {
    /// Answers to requests by name and the right ones among them, by subject and level; those for nobody count as asked.
    pub(crate) fn by_level(&self) -> BTreeMap<(&str, Confidence), (u32, u32)> {
        let mut levels = BTreeMap::new();
        let is_by_name = |kind: &str| kind.starts_with("name") || kind.starts_with("none_name");
        for ((subject, kind), tally) in &self.by_kind {
            if is_by_name(kind) {
                for (level, (answered, right)) in &tally.by_level {
                    let (all, all_right) =
                        levels.entry((subject.as_str(), *level)).or_insert((0, 0));
                    *all += answered;
                    *all_right += right;
                }
            }
        }
        levels
    }

    fn count(&mut self, query: &Query, answer: &Answer, time: Duration) {
        let subject = query.subject.name().to_owned();
        let kind = self
            .by_kind
            .entry((subject, query.kind.clone()))
            .or_default();
        kind.add(query, answer, Some(time));
        for noise in &query.noise {
            let key = (query.kind.clone(), noise.clone());
            self.by_noise
                .entry(key)
                .or_default()
                .add(query, answer, None);
        }
    }
}

impl Tally {
    fn add(&mut self, query: &Query, answer: &Answer, time: Option<Duration>) {
        self.queries += 1;
        self.right += u32::from(is_right(query, answer));
        match answer {
            Answer::Found(_, level) => {
                self.answered += 1;
                let (answered, right) = self.by_level.entry(*level).or_default();
                *answered += 1;
                *right += u32::from(is_right(query, answer));
            }
            Answer::Nothing(reason) => self.ambiguous += u32::from(reason == "ambiguous"),
            Answer::Refused(_) => self.refused += 1,
        }
        self.times.extend(time);
    }

    /// Right answers among those given; 1 when none was given.
    pub(crate) fn precision(&self) -> f64 {
        share(self.right, self.answered)
    }

    /// Requests that were not understood among those asked.
    pub(crate) fn refused(&self) -> f64 {
        share(self.refused, self.queries)
    }

    /// Right answers among those asked for.
    pub(crate) fn recall(&self) -> f64 {
        share(self.right, self.queries)
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        1.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}
