//! Clients that ask without a pause worth the name: named and unnamed, hits and misses, pages, and the same name twice at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use futures::future::join;
use serde_json::json;
use tokio::task::JoinSet;

use super::history::{Asked, Entry, History, Wish};
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
    clients: JoinSet<anyhow::Result<()>>,
}

impl Load {
    pub(super) fn start(customers: &[Customer], history: &Arc<History>, seed: u64) -> Self {
        let stop: Arc<AtomicBool> = Arc::default();
        let mut clients = JoinSet::new();
        for number in 0..CLIENTS {
            let client = Client {
                number,
                customers: customers.to_vec(),
                history: history.clone(),
                stop: stop.clone(),
            };
            clients.spawn(client.work(Random::of(seed, number + 1)));
        }
        Self {
            stop,
            history: history.clone(),
            clients,
        }
    }

    /// Waits until so many more requests are answered 200.
    ///
    /// # Errors
    /// When they are not within two minutes.
    pub async fn until_paid(&self, more: usize) -> anyhow::Result<()> {
        let wanted = self.history.paid() + more;
        let limit = Duration::from_secs(120);
        until("requests are answered 200", limit, async || {
            (self.history.paid() >= wanted).then_some(())
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
    customers: Vec<Customer>,
    history: Arc<History>,
    stop: Arc<AtomicBool>,
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
                wish,
                name,
            };
            match random.below(20) {
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
        let said = self.send(asked).await?;
        let entry = Entry {
            asked: asked.clone(),
            at,
            took: began.elapsed(),
            said,
        };
        let status = entry.status();
        self.history.add(entry);
        Ok(status)
    }

    async fn send(&self, asked: &Asked) -> anyhow::Result<Result<Answer, String>> {
        let Some(customer) = self.customers.get(asked.customer) else {
            anyhow::bail!("there is no such customer: {asked:?}");
        };
        let (path, body) = match asked.wish {
            Wish::Person(number) => (
                "/person/enrich",
                json!({ "email": email(number), "include_fields": "full_name" }),
            ),
            Wish::Nobody(number) => (
                "/person/enrich",
                json!({ "email": format!("nobody{number}@nowhere.example") }),
            ),
            Wish::Page(size) => (
                "/person/search",
                json!({ "query": "SELECT * FROM person ORDER BY full_name", "limit": size }),
            ),
        };
        let answer = match &asked.name {
            Some(name) => customer.post_once(path, &body, name).await,
            None => customer.post(path, &body).await,
        };
        Ok(answer.map_err(|fault| format!("{:#}", anyhow::Error::from(fault))))
    }
}
