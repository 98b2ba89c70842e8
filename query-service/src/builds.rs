//! Which data builds this process answers from: it follows the projector's pointers and tells command-service.
//!
//! Guarantee: a request that took a [`BuildReader`] keeps it to its end, whatever is activated meanwhile. A build that
//! was activated answers at the latest one poll later. When the pointers cannot be read the last known builds stay.

mod heartbeat;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

pub use heartbeat::Heartbeats;

use crate::read_model::{BuildReader, Pointer, Pointers, ReadFault};

/// Builds besides the active ones that stay connected, for replays.
const RETAINED_BUILDS: usize = 8;

/// The active builds, as last read.
#[derive(Debug, Clone, Default)]
pub struct Active {
    person: Option<Following>,
    company: Option<Following>,
    is_known: bool,
}

#[derive(Debug, Clone)]
struct Following {
    pointer: Pointer,
    reader: BuildReader,
}

impl Active {
    fn slot(&self, kind: RecordKind) -> Option<&Following> {
        match kind {
            RecordKind::Person => self.person.as_ref(),
            RecordKind::Company => self.company.as_ref(),
        }
    }

    fn build(&self, kind: RecordKind) -> Option<BuildName> {
        self.slot(kind)
            .map(|following| following.pointer.build.clone())
    }
}

/// What a request finds when it asks for the active build.
#[derive(Debug, Clone)]
pub enum Standing {
    /// Answer from this one.
    Active(BuildReader),
    /// No build of the kind is active: no record exists.
    None,
    /// The pointers have never been read.
    Unknown,
}

/// The builds that can be read. Clones share them.
#[derive(Debug, Clone)]
pub struct Builds(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    pointers: Pointers,
    active: watch::Sender<Active>,
    retained: Mutex<VecDeque<BuildReader>>,
    is_readable: AtomicBool,
}

impl Builds {
    /// Nothing is known until the first poll.
    #[must_use]
    pub fn new(pointers: Pointers) -> Self {
        Self(Arc::new(Inner {
            pointers,
            active: watch::Sender::default(),
            retained: Mutex::default(),
            is_readable: AtomicBool::new(false),
        }))
    }

    /// The active build of a kind, as last read.
    #[must_use]
    pub fn active(&self, kind: RecordKind) -> Standing {
        let active = self.0.active.borrow();
        match active.slot(kind) {
            Some(following) => Standing::Active(following.reader.clone()),
            None if active.is_known => Standing::None,
            None => Standing::Unknown,
        }
    }

    /// Whether the pointers could be read at the last poll.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.0.is_readable.load(Ordering::Relaxed)
    }

    /// A build by its name: the active one, or one that can still be read.
    ///
    /// # Errors
    /// When the read model does not answer.
    pub async fn by_name(
        &self,
        kind: RecordKind,
        build: &BuildName,
    ) -> Result<Option<BuildReader>, ReadFault> {
        if let Standing::Active(reader) = self.active(kind)
            && reader.build() == build
        {
            return Ok(Some(reader));
        }
        if let Some(reader) = self.retained(build) {
            return Ok(Some(reader));
        }
        let opened = self.0.pointers.open_retained(kind, build).await?;
        if let Some(reader) = &opened {
            self.retain(reader.clone());
        }
        Ok(opened)
    }

    /// Follows the pointers until shutdown.
    pub async fn follow(self, every: Duration, shutdown: CancellationToken) {
        let mut ticks = tokio::time::interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut was_readable = true;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let polled = self.poll().await;
            if let Err(fault) = &polled
                && was_readable
            {
                tracing::warn!(%fault, "the active builds cannot be read; the last known ones stay");
            }
            was_readable = polled.is_ok();
        }
    }

    /// Reads the pointers once and switches to what is new, with a connection already open.
    ///
    /// # Errors
    /// When the read model does not answer; nothing changes then.
    pub async fn poll(&self) -> Result<(), ReadFault> {
        let polled = self.switch().await;
        self.0.is_readable.store(polled.is_ok(), Ordering::Relaxed);
        polled
    }

    async fn switch(&self) -> Result<(), ReadFault> {
        let pointers = self.0.pointers.active().await?;
        let before = self.0.active.borrow().clone();
        let person = self
            .follow_one(&before, RecordKind::Person, &pointers)
            .await?;
        let company = self
            .follow_one(&before, RecordKind::Company, &pointers)
            .await?;
        let changed = |before: Option<&Following>, after: &Option<Following>| {
            before.map(|one| &one.pointer) != after.as_ref().map(|one| &one.pointer)
        };
        let is_new =
            changed(before.person.as_ref(), &person) || changed(before.company.as_ref(), &company);
        if is_new || !before.is_known {
            self.0.active.send_replace(Active {
                person,
                company,
                is_known: true,
            });
        }
        Ok(())
    }

    async fn follow_one(
        &self,
        before: &Active,
        kind: RecordKind,
        pointers: &[Pointer],
    ) -> Result<Option<Following>, ReadFault> {
        let Some(pointer) = pointers.iter().find(|pointer| pointer.kind == kind) else {
            return Ok(None);
        };
        let current = before.slot(kind);
        if let Some(same) = current.filter(|following| following.pointer == *pointer) {
            return Ok(Some(same.clone()));
        }
        let reader = self.0.pointers.open(pointer);
        reader.warm().await?;
        tracing::info!(%kind, build = %pointer.build, "answering from another build");
        if let Some(old) = current {
            self.retain(old.reader.clone());
        }
        Ok(Some(Following {
            pointer: pointer.clone(),
            reader,
        }))
    }

    fn retained(&self, build: &BuildName) -> Option<BuildReader> {
        let retained = self
            .0
            .retained
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        retained
            .iter()
            .find(|reader| reader.build() == build)
            .cloned()
    }

    fn retain(&self, reader: BuildReader) {
        let mut retained = self
            .0
            .retained
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        retained.retain(|other| other.build() != reader.build());
        retained.push_front(reader);
        retained.truncate(RETAINED_BUILDS);
    }
}
