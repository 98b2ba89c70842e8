//! The loader's reading and the matcher, with a sorted list of keys for an index and the statement's limits.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use chrono::NaiveDate;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use projector::builds::record::{self, Reading};
use projector::config::Levels;
use query_service::enrich::choose::{Miss, choose};
use query_service::enrich::compared::Compared;
use query_service::enrich::path::texts_of_any;
use query_service::enrich::probe::{MAX_RELATIVES, Probe};
use query_service::enrich::rarity::{Counted, Counts};
use query_service::enrich::request::EnrichRequest;
use query_service::enrich::{Candidate, DataPoint, Document, Hit};
use query_service::read_model::ReadLimits;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Answer;
use crate::world::World;

/// What ages count from: of no account for matching.
const REFERENCE_DATE: NaiveDate = match NaiveDate::from_ymd_opt(2026, 11, 1) {
    Some(date) => date,
    None => NaiveDate::MIN,
};

/// What the build is called.
const BUILD: &str = "2026.11.1-score";

/// Both kinds.
pub(crate) struct Builds {
    persons: Build,
    companies: Build,
}

struct Build {
    name: Arc<BuildName>,
    /// In the default order: the place is the rank less one.
    records: Vec<(Uuid, Vec<u8>)>,
    by_id: HashMap<Uuid, u32>,
    /// By key.
    entries: Vec<Entry>,
    counts: Values,
}

/// How many records have a value, as the dictionaries of search files count it.
#[derive(Default)]
struct Values {
    rows: u32,
    counts: HashMap<(Counted, String), u32>,
}

impl Values {
    fn add(&mut self, doc: &Document) {
        self.rows += 1;
        for what in Counted::ALL {
            let paths = what.paths().iter();
            let mut values: Vec<&str> = paths.flat_map(|path| texts_of_any(doc, path)).collect();
            values.sort_unstable();
            values.dedup();
            for value in values {
                *self.counts.entry((what, value.to_owned())).or_default() += 1;
            }
        }
    }
}

impl Counts for Values {
    fn rows(&self) -> u32 {
        self.rows
    }

    fn count(&self, what: Counted, value: &str) -> Option<u32> {
        let count = self.counts.get(&(what, value.to_owned()));
        Some(count.copied().unwrap_or(0))
    }
}

/// Half of the key is enough to tell keys apart here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: u64,
    place: u32,
    kind: u8,
    flags: u8,
}

impl Builds {
    pub(super) fn read(world: &World) -> anyhow::Result<Self> {
        Ok(Self {
            persons: Build::read(world, RecordKind::Person)?,
            companies: Build::read(world, RecordKind::Company)?,
        })
    }

    pub(super) fn ask(
        &self,
        subject: RecordKind,
        body: &Map<String, Value>,
    ) -> anyhow::Result<Answer> {
        let build = match subject {
            RecordKind::Person => &self.persons,
            RecordKind::Company => &self.companies,
        };
        let request = match EnrichRequest::read(subject, body) {
            Ok(request) => request,
            Err(refusal) => return Ok(Answer::Refused(format!("{refusal:?}"))),
        };
        let probes = request.query.probes();
        let found = build.candidates(&probes, request.query.service_id())?;
        Ok(
            match choose(
                request.query.score(&probes, found, &build.counts),
                &request.wanted,
            ) {
                Ok(chosen) => match chosen.matches.first() {
                    Some(first) => Answer::Found(
                        first.candidate.service_id.to_string(),
                        first.metadata.match_confidence,
                    ),
                    None => Answer::Nothing("no_match".to_owned()),
                },
                Err(miss) => Answer::Nothing(reason(miss).to_owned()),
            },
        )
    }
}

const fn reason(miss: Miss) -> &'static str {
    match miss {
        Miss::NoMatch => "no_match",
        Miss::Ambiguous(_) => "ambiguous",
        Miss::BelowMinConfidence => "below_min_confidence",
        Miss::MissingRequiredFields => "missing_required_fields",
    }
}

/// A record before it has a place.
struct Read {
    record: record::Record,
    standing: (i16, i64, String),
}

impl Build {
    fn read(world: &World, kind: RecordKind) -> anyhow::Result<Self> {
        let text = std::fs::read(world.file(kind))?;
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = lines.len().div_ceil(threads).max(1);
        let mut read: Vec<Read> = std::thread::scope(|scope| {
            let parts: Vec<_> = lines
                .chunks(share)
                .map(|lines| scope.spawn(move || part(kind, lines)))
                .collect();
            let parts = parts
                .into_iter()
                .flat_map(std::thread::ScopedJoinHandle::join);
            parts.flatten().collect()
        });
        drop(lines);
        drop(text);
        read.sort_by(|a, b| {
            let of = |one: &Read| {
                (
                    one.standing.clone(),
                    std::cmp::Reverse(one.record.service_id),
                )
            };
            of(b).cmp(&of(a))
        });
        let keys = read.iter().map(|one| one.record.keys.len()).sum();
        let mut build = Self {
            name: Arc::new(BUILD.parse()?),
            records: Vec::with_capacity(read.len()),
            by_id: HashMap::with_capacity(read.len()),
            entries: Vec::with_capacity(keys),
            counts: Values::default(),
        };
        for (one, place) in read.into_iter().zip(0..) {
            let entry = |key: &record::Key| Entry::new(key.kind, key.key, place, key.flags);
            build.entries.extend(one.record.keys.iter().map(entry));
            build.by_id.insert(one.record.service_id, place);
            if kind == RecordKind::Person {
                build.counts.add(&serde_json::from_slice(&one.record.doc)?);
            }
            build.records.push((one.record.service_id, one.record.doc));
        }
        build.entries.sort_unstable();
        let count = build.records.len();
        anyhow::ensure!(count > 0, "no {kind} was read");
        crate::report::loaded(kind, count, build.entries.len());
        Ok(build)
    }

    /// What the statement of candidates gives.
    fn candidates(
        &self,
        probes: &[Probe],
        id: Option<(usize, Uuid)>,
    ) -> anyhow::Result<Vec<Candidate>> {
        let limits = ReadLimits::default();
        let limit = |limit: i64| usize::try_from(limit).unwrap_or(usize::MAX);
        let mut hits: HashMap<u32, (u64, Vec<Hit>)> = HashMap::new();
        for (at, probe) in probes.iter().enumerate() {
            let most = if probe.is_of_word() {
                i64::from(MAX_RELATIVES)
            } else {
                limits.entries_per_key
            };
            let entries: Vec<&Entry> = self.entries_of(probe).take(limit(most)).collect();
            // The rarer the key, the more it says; a word of a name says nothing.
            let weight = match probe.is_of_word() {
                true => 0,
                false => 1_000_000 / (entries.len() as u64).max(1),
            };
            for entry in entries {
                let (sum, hits) = hits.entry(entry.place).or_default();
                *sum += weight;
                hits.push(Hit {
                    probe: at,
                    point: DataPoint::from_flags(i16::from(entry.flags)),
                });
            }
        }
        let own = id.and_then(|(clue, id)| {
            let probe = probes.iter().position(|probe| probe.clue == clue)?;
            Some((*self.by_id.get(&id)?, probe))
        });
        if let Some((place, probe)) = own {
            let point = DataPoint::from_flags(0);
            let (_, hits) = hits.entry(place).or_default();
            hits.push(Hit { probe, point });
        }
        let mut found: Vec<(u32, (u64, Vec<Hit>))> = hits.into_iter().collect();
        let identifies = |hits: &[Hit]| {
            let mut probes = hits.iter().filter_map(|hit| probes.get(hit.probe));
            probes.any(|probe| probe.identifies)
        };
        found.sort_by_key(|(place, (sum, hits))| {
            (std::cmp::Reverse((identifies(hits), *sum)), *place)
        });
        found.truncate(limit(limits.candidates));
        let candidates = found
            .into_iter()
            .map(|(place, (_, hits))| self.candidate(place, hits));
        candidates.collect()
    }

    fn entries_of(&self, probe: &Probe) -> impl Iterator<Item = &Entry> {
        let wanted = Entry::new(probe.kind, *probe.key.as_bytes(), 0, 0);
        let start = self.entries.partition_point(|entry| entry.key < wanted.key);
        let from = self.entries.get(start..).unwrap_or_default().iter();
        from.take_while(move |entry| entry.key == wanted.key)
            .filter(move |entry| entry.kind == wanted.kind)
    }

    fn candidate(&self, place: u32, hits: Vec<Hit>) -> anyhow::Result<Candidate> {
        let record = self.records.get(usize::try_from(place)?);
        let (service_id, doc) = record.context("an entry leads to no record")?;
        let json = doc.clone();
        let doc = Compared::read(&json)?;
        Ok(Candidate {
            rank: place + 1,
            service_id: *service_id,
            build: Arc::clone(&self.name),
            json,
            doc,
            hits,
        })
    }
}

impl Entry {
    fn new(kind: i16, key: [u8; 16], place: u32, flags: i16) -> Self {
        let half = u128::from_be_bytes(key) >> 64;
        Self {
            key: u64::try_from(half).unwrap_or_default(),
            place,
            kind: u8::try_from(kind).unwrap_or_default(),
            flags: u8::try_from(flags).unwrap_or_default(),
        }
    }
}

fn part(kind: RecordKind, lines: &[&[u8]]) -> Vec<Read> {
    let reading = Reading {
        build: BUILD.to_owned(),
        reference_date: REFERENCE_DATE,
        today: REFERENCE_DATE,
        levels: Levels::default(),
    };
    let mut reader = record::Lines::of(kind, &reading);
    let records = lines.iter().filter_map(|line| reader.read(line).ok());
    records
        .map(|record| Read {
            standing: standing(&record),
            record,
        })
        .collect()
}

/// The default order but for the id.
fn standing(record: &record::Record) -> (i16, i64, String) {
    #[derive(serde::Deserialize)]
    struct Seen {
        num_sources: Option<i64>,
        last_seen: Option<String>,
    }
    let seen: Option<Seen> = serde_json::from_slice(&record.doc).ok();
    let level = record.confidence.map_or(-1, |level| level as i16);
    match seen {
        Some(seen) => (
            level,
            seen.num_sources.unwrap_or(-1),
            seen.last_seen.unwrap_or_default(),
        ),
        None => (level, -1, String::new()),
    }
}
