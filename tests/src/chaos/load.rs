//! Clients that ask without a pause worth the name: named and unnamed, hits and misses, pages, and the same name twice at once.
//! In a stack with a gateway some ask there, and some of its tools; they ask for their credits and report, too.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::ensure;
use futures::future::join;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::history::{Asked, Door, Entry, History, Wish};
use super::schedule::Random;
use crate::records::email;
use crate::wait::until;
use crate::{Answer, Customer};

/// Clients at once.
const CLIENTS: u64 = 12;
/// A named request is repeated until it has its last word; longer than any fault lasts.
const ANSWERED_WITHIN: Duration = Duration::from_secs(240);
/// Persons that are loaded.
pub(super) const PERSONS: u32 = 100;

/// The clients at work.
#[derive(Debug)]
pub struct Load {
    stop: Arc<AtomicBool>,
    history: Arc<History>,
    doors: &'static [Door],
    clients: JoinSet<anyhow::Result<()>>,
}

impl Load {
    pub(super) fn start(
        customers: &[Customer],
        gateway: Option<&str>,
        history: &Arc<History>,
        seed: u64,
    ) -> Self {
        let stop: Arc<AtomicBool> = Arc::default();
        let behind = gateway.map(|url| customers.iter().map(|one| one.through(url)).collect());
        let behind: Vec<Customer> = behind.unwrap_or_default();
        let doors: &[Door] = match gateway {
            Some(_) => &[Door::Services, Door::Gateway, Door::Tools],
            None => &[Door::Services],
        };
        let mut clients = JoinSet::new();
        for (number, door) in (0..CLIENTS).zip(doors.iter().cycle()) {
            let customers = match door {
                Door::Services => customers.to_vec(),
                Door::Gateway | Door::Tools => behind.clone(),
            };
            let client = Client {
                number,
                door: *door,
                customers,
                history: history.clone(),
                stop: stop.clone(),
                known: OnceLock::new(),
            };
            clients.spawn(client.work(Random::of(seed, number + 1)));
        }
        Self {
            stop,
            history: history.clone(),
            doors,
            clients,
        }
    }

    /// Waits until so many more requests are answered 200, as many at one door as at the other.
    ///
    /// # Errors
    /// When they are not within two minutes.
    pub async fn until_paid(&self, more: usize) -> anyhow::Result<()> {
        let more = more.div_ceil(self.doors.len());
        let paid = |door: &Door| self.history.paid_at(&[*door]);
        let wanted: Vec<_> = self.doors.iter().map(|door| paid(door) + more).collect();
        let limit = Duration::from_secs(120);
        until("requests are answered 200", limit, async || {
            let mut doors = self.doors.iter().zip(&wanted);
            doors
                .all(|(door, wanted)| paid(door) >= *wanted)
                .then_some(())
        })
        .await
    }

    /// Ends the clients, each behind the last word of its request.
    ///
    /// # Errors
    /// When a request got no last word.
    pub async fn finish(mut self) -> anyhow::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        while let Some(client) = self.clients.join_next().await {
            client??;
        }
        Ok(())
    }
}

struct Client {
    number: u64,
    door: Door,
    customers: Vec<Customer>,
    history: Arc<History>,
    stop: Arc<AtomicBool>,
    /// The id of a person that was found: what it reports on.
    known: OnceLock<String>,
}

impl Client {
    async fn work(self, mut random: Random) -> anyhow::Result<()> {
        for turn in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let name = Some(format!("{}-{turn}", self.number));
            let customer = usize::try_from(random.below(u32::MAX))? % self.customers.len().max(1);
            let person = Wish::Person(random.below(PERSONS));
            let asked = |wish, name| Asked {
                customer,
                door: self.door,
                wish,
                name,
            };
            let wishes = match self.door {
                Door::Services => 20,
                Door::Gateway | Door::Tools => 24,
            };
            match random.below(wishes) {
                0..9 => self.until_told(&asked(person, name)).await?,
                9..14 => self.ask(&asked(person, None)).await.map(drop)?,
                14..16 => {
                    let nobody = Wish::Nobody(random.below(PERSONS));
                    self.ask(&asked(nobody, None)).await.map(drop)?;
                }
                16..18 => {
                    let page = Wish::Page(1 + random.below(5));
                    self.until_told(&asked(page, name)).await?;
                }
                20..22 if self.door == Door::Gateway => {
                    self.ask(&asked(Wish::Credits, None)).await.map(drop)?;
                }
                20.. if self.known.get().is_some() => {
                    self.until_told(&asked(Wish::Report, name)).await?;
                }
                _ => {
                    let asked = asked(person, name);
                    let both = join(self.until_told(&asked), self.until_told(&asked)).await;
                    both.0.and(both.1)?;
                }
            }
            tokio::time::sleep(random.millis(1, 60)).await;
        }
        Ok(())
    }

    /// Repeats a request until it is carried out or refused for good.
    async fn until_told(&self, asked: &Asked) -> anyhow::Result<()> {
        let end = Instant::now() + ANSWERED_WITHIN;
        while matches!(self.ask(asked).await?, 0 | 409 | 503) {
            ensure!(Instant::now() < end, "{asked:?} got no last word");
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        Ok(())
    }

    /// One request; the status, 0 for none.
    async fn ask(&self, asked: &Asked) -> anyhow::Result<u16> {
        let (at, began) = (self.history.now(), Instant::now());
        let trace = Uuid::new_v4().simple().to_string();
        let said = self.send(asked, &trace).await?;
        let entry = Entry {
            asked: asked.clone(),
            trace,
            at,
            took: began.elapsed(),
            said,
        };
        let status = entry.status();
        self.history.add(entry);
        Ok(status)
    }

    async fn send(&self, asked: &Asked, trace: &str) -> anyhow::Result<Result<Answer, String>> {
        let Some(customer) = self.customers.get(asked.customer) else {
            anyhow::bail!("there is no such customer: {asked:?}");
        };
        let customer = customer.traced(trace);
        let Some((path, tool, body)) = self.request(asked.wish) else {
            let answer = customer.credits().await;
            return Ok(answer.map_err(chain_of));
        };
        let answer = match (asked.door, &asked.name) {
            (Door::Tools, name) => customer.call_tool_once(tool, &body, name.as_deref()).await,
            (_, Some(name)) => customer.post_once(path, &body, name).await,
            (_, None) => customer.post(path, &body).await,
        };
        if let (Wish::Person(_), Ok(answer)) = (asked.wish, &answer)
            && let Some(id) = answer.at("/matches/0/person/service_id").as_str()
        {
            self.known.get_or_init(|| id.to_owned());
        }
        Ok(answer.map_err(chain_of))
    }

    /// Path, tool and body; none for what has no body.
    fn request(&self, wish: Wish) -> Option<(&'static str, &'static str, Value)> {
        let enrich = |body| ("/person/enrich", "person_enrich", body);
        Some(match wish {
            Wish::Person(number) => {
                enrich(json!({ "email": email(number), "include_fields": "full_name" }))
            }
            Wish::Nobody(number) => {
                enrich(json!({ "email": format!("nobody{number}@nowhere.example") }))
            }
            Wish::Page(size) => (
                "/person/search",
                "person_search",
                json!({ "query": "SELECT * FROM person ORDER BY full_name", "limit": size }),
            ),
            Wish::Report => (
                "/utility/report/person",
                "report_person",
                json!({
                    "service_id": self.known.get(),
                    "issue_type": "outdated",
                    "issue_level": "record",
                    "comment": "left long ago",
                }),
            ),
            Wish::Credits => return None,
        })
    }
}

/// The fault with everything behind it.
fn chain_of(fault: reqwest::Error) -> String {
    format!("{:#}", anyhow::Error::from(fault))
}
