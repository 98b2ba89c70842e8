//! Everything that was asked and what was said to it: in memory for the checker, and line by line in a file for people.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Answer;

/// What a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// A person that is there.
    Person(u32),
    /// A person that is not.
    Nobody(u32),
    /// So many persons.
    Page(u32),
    /// What is left; free.
    Credits,
    /// That something in a person is wrong; free.
    Report,
}

/// Where it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Door {
    /// The services themselves.
    Services,
    /// The gateway.
    Gateway,
    /// The tools of mcp-server, behind the gateway.
    Tools,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Which of the customers.
    pub customer: usize,
    /// Where.
    pub door: Door,
    /// What it wants.
    pub wish: Wish,
    /// Its `Idempotency-Key`.
    pub name: Option<String>,
}

/// One request and what came of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The request.
    pub asked: Asked,
    /// The trace that it was sent with: no other request has it, and what is charged to it has.
    pub trace: String,
    /// When it was sent, since the history began.
    pub at: Duration,
    /// How long it took.
    pub took: Duration,
    /// The answer, or why there is no whole one.
    pub said: Result<Answer, String>,
}

impl Entry {
    /// Status of the answer; 0 when there is none.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.said.as_ref().map_or(0, |answer| answer.status)
    }

    /// The words of the answer's status in a row.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.said {
            Ok(answer) if answer.at("/details/outcome") == "unknown" => "503?".to_owned(),
            Ok(answer) => answer.status.to_string(),
            Err(_) => "broken".to_owned(),
        }
    }

    fn line(&self) -> Value {
        let (headers, body) = match &self.said {
            Ok(answer) => {
                let shown = [
                    "request-id",
                    "credits-used",
                    "credits-remaining",
                    "retry-after",
                ];
                let headers = shown.map(|name| answer.header(name));
                let body = (answer.status != 200).then_some(&answer.body);
                (Some(headers), json!(body))
            }
            Err(why) => (None, json!(why)),
        };
        json!({
            "at_ms": millis(self.at),
            "took_ms": millis(self.took),
            "customer": self.asked.customer,
            "door": format!("{:?}", self.asked.door),
            "wish": format!("{:?}", self.asked.wish),
            "name": self.asked.name,
            "trace": self.trace,
            "said": self.label(),
            "id_used_left_after": headers,
            "body": body,
        })
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The recorder, shared by all who ask.
#[derive(Debug)]
pub struct History {
    began: Instant,
    recorded: Mutex<Recorded>,
}

#[derive(Debug)]
struct Recorded {
    entries: Vec<Entry>,
    file: BufWriter<File>,
}

impl History {
    /// An empty one that is written to `file`.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn begin(file: &Path) -> anyhow::Result<Self> {
        let file = BufWriter::new(File::create(file)?);
        let entries = Vec::new();
        Ok(Self {
            began: Instant::now(),
            recorded: Mutex::new(Recorded { entries, file }),
        })
    }

    /// Time since its beginning.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Notes a request that has ended.
    pub fn add(&self, entry: Entry) {
        let line = entry.line();
        let mut recorded = self.recorded();
        // A line that a full disk takes away is still in memory, where the checker reads.
        let _ = writeln!(recorded.file, "{line}");
        recorded.entries.push(entry);
    }

    /// How many requests were answered 200.
    #[must_use]
    pub fn paid(&self) -> usize {
        self.paid_at(&[Door::Services, Door::Gateway, Door::Tools])
    }

    /// How many requests were answered 200 at one of these doors.
    #[must_use]
    pub fn paid_at(&self, doors: &[Door]) -> usize {
        let recorded = self.recorded();
        let paid = recorded
            .entries
            .iter()
            .filter(|entry| entry.status() == 200 && doors.contains(&entry.asked.door));
        paid.count()
    }

    /// Takes all entries, in the order in which they ended.
    #[must_use]
    pub fn take(&self) -> Vec<Entry> {
        let mut recorded = self.recorded();
        let _ = recorded.file.flush();
        std::mem::take(&mut recorded.entries)
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
