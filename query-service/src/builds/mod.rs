//! Which data builds this process answers from: it follows the projector's pointers and tells command-service.
//!
//! Guarantees: a request that took a [`BuildReader`] keeps it to its end, whatever is activated meanwhile. A build that
//! was activated answers as soon as its search files are held ([`crate::search::files`]), at the latest one poll later;
//! until then the build before it answers everything, so that a request has one build for all. Only a process that has
//! no build yet enriches before it can search. When the pointers cannot be read the last known builds stay; when one build
//! cannot be opened, or its row cannot be read, its kind alone stays where it was.

mod counts;
mod heartbeat;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use normalize::EDITION;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

pub use counts::FileCounts;
pub use heartbeat::Heartbeats;

use crate::read_model::{BuildReader, Pointer, Pointers, ReadFault, Role, UnreadablePointer};
use crate::search::files::{BuildFiles, Shelf, Wanted};

/// Builds besides the active ones that stay connected, for replays.
const RETAINED_BUILDS: usize = 8;
/// Builds of a kind that were active before and can still be searched.
pub const SEARCHABLE_RETIRED_BUILDS: u32 = 3;

/// The active builds, as last read.
#[derive(Debug, Clone, Default)]
pub struct Active {
    person: Slot,
    company: Slot,
}

/// What is known of the active build of a kind.
#[derive(Debug, Clone, Default)]
#[allow(clippy::large_enum_variant, reason = "a process has two of them")]
enum Slot {
    /// Nothing: the pointers were never read, or the first build could not be opened yet.
    #[default]
    Unknown,
    /// There is none.
    None,
    /// This one answers.
    Following(Following),
}

#[derive(Debug, Clone)]
struct Following {
    pointer: Pointer,
    reader: BuildReader,
}

impl Slot {
    const fn following(&self) -> Option<&Following> {
        match self {
            Self::Following(following) => Some(following),
            Self::Unknown | Self::None => None,
        }
    }

    fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown, Self::Unknown) | (Self::None, Self::None) => true,
            (Self::Following(one), Self::Following(other)) => one.pointer == other.pointer,
            _ => false,
        }
    }
}

impl Active {
    const fn slot(&self, kind: RecordKind) -> &Slot {
        match kind {
            RecordKind::Person => &self.person,
            RecordKind::Company => &self.company,
        }
    }

    fn build(&self, kind: RecordKind) -> Option<BuildName> {
        let following = self.slot(kind).following();
        following.map(|following| following.pointer.build.clone())
    }

    /// The pointers of what answers here, each as it was read just now if it still is among `pointers`: its search files
    /// may have been written anew since.
    fn answering<'a>(&'a self, pointers: &'a [Pointer]) -> impl Iterator<Item = &'a Pointer> {
        let answering = [self.person.following(), self.company.following()];
        answering.into_iter().flatten().map(|following| {
            let read_now = pointers.iter().find(|pointer| following.is_of(pointer));
            read_now.unwrap_or(&following.pointer)
        })
    }
}

impl Following {
    /// Whether it reads the build that the pointer names; its search files may be others by now.
    fn is_of(&self, pointer: &Pointer) -> bool {
        self.pointer.build == pointer.build && self.pointer.schema == pointer.schema
    }
}

/// Whose search files are to be held: of what is active, of what answers here, of what was active before, of what may
/// be activated next.
fn wanted(before: &Active, pointers: &[Pointer]) -> Vec<Wanted> {
    let (active, others): (Vec<&Pointer>, Vec<&Pointer>) =
        pointers.iter().partition(|one| one.role == Role::Active);
    let mut seen = HashSet::new();
    let answering = before.answering(pointers);
    let each = active.into_iter().chain(answering).chain(others);
    each.filter(|pointer| seen.insert(&pointer.build))
        .filter_map(|pointer| {
            Some(Wanted {
                kind: pointer.kind,
                build: pointer.build.clone(),
                files: pointer.search_files.clone()?,
                reference_date: pointer.reference_date,
            })
        })
        .collect()
}

/// The active build of a kind, as a request finds it.
#[derive(Debug, Clone)]
pub enum ActiveBuild {
    /// Answer from this one.
    Open(BuildReader),
    /// No build of the kind is active: no record exists.
    None,
    /// The pointers have never been read, or the first build could not be opened yet.
    Unknown,
}

/// A build that can be searched: rows and files of one and the same.
#[derive(Debug, Clone)]
pub struct Searchable {
    /// For the documents.
    pub reader: BuildReader,
    /// For the search.
    pub files: Arc<BuildFiles>,
}

/// Why a search finds no build to run on.
#[derive(Debug)]
pub enum NotSearchable {
    /// Which builds there are is not known: the pointers cannot be read, or the first build not be opened.
    Unknown,
    /// No build of the kind is active: no record exists.
    NoBuild,
    /// Its search files are not here yet.
    Fetching,
    /// It was loaded before there were search files.
    WithoutFiles(BuildName),
    /// The build that was asked for by name does not exist, is gone, or is none of the last; with the active one.
    Gone {
        /// The active build of the kind.
        active: Option<BuildName>,
    },
    /// The read model does not answer.
    Read(ReadFault),
}

/// The builds that can be read. Clones share them.
#[derive(Debug, Clone)]
pub struct Builds(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    pointers: Pointers,
    shelf: Shelf,
    active: watch::Sender<Active>,
    /// The builds that are or were active and can be searched, as last read; whether they have search files.
    retired: Mutex<HashMap<(RecordKind, BuildName), bool>>,
    /// The activated builds that could not be opened, so that each is named once.
    unopened: Mutex<HashMap<RecordKind, BuildName>>,
    /// The builds of which the row could not be read at the last poll, so that each is named once.
    unreadable: Mutex<Vec<UnreadablePointer>>,
    /// One poll at a time, so that an older state never replaces a newer one.
    last_poll: tokio::sync::Mutex<Option<LastPoll>>,
    retained: Mutex<VecDeque<BuildReader>>,
    is_readable: AtomicBool,
}

#[derive(Debug, Clone, Copy)]
struct LastPoll {
    began: Instant,
    was_read: bool,
}

impl Builds {
    /// Nothing is known until the first poll.
    #[must_use]
    pub fn new(pointers: Pointers, shelf: Shelf) -> Self {
        Self(Arc::new(Inner {
            pointers,
            shelf,
            active: watch::Sender::default(),
            retired: Mutex::default(),
            unopened: Mutex::default(),
            unreadable: Mutex::default(),
            last_poll: tokio::sync::Mutex::default(),
            retained: Mutex::default(),
            is_readable: AtomicBool::new(false),
        }))
    }

    /// The active build of a kind, as last read.
    #[must_use]
    pub fn active(&self, kind: RecordKind) -> ActiveBuild {
        let active = self.0.active.borrow();
        match active.slot(kind) {
            Slot::Following(following) => ActiveBuild::Open(following.reader.clone()),
            Slot::None => ActiveBuild::None,
            Slot::Unknown => ActiveBuild::Unknown,
        }
    }

    /// The build to search: the active one of a kind, or the one that a request names.
    ///
    /// # Errors
    /// When there is none that can be searched.
    pub async fn searchable(
        &self,
        kind: RecordKind,
        named: Option<&BuildName>,
    ) -> Result<Searchable, NotSearchable> {
        let active = self.0.active.borrow().clone();
        let slot = active.slot(kind);
        if matches!(slot, Slot::Unknown) {
            return Err(NotSearchable::Unknown);
        }
        let following = slot.following();
        let named = named.filter(|named| following.is_none_or(|one| one.pointer.build != **named));
        if let Some(build) = named {
            return self.searchable_before(kind, build).await;
        }
        let Following { pointer, reader } = following.ok_or(NotSearchable::NoBuild)?;
        match (self.0.shelf.get(&pointer.build), &pointer.search_files) {
            (Some(files), _) => Ok(Searchable {
                reader: reader.clone(),
                files,
            }),
            (None, Some(_)) => Err(NotSearchable::Fetching),
            (None, None) => Err(NotSearchable::WithoutFiles(pointer.build.clone())),
        }
    }

    /// The rows of the build that a request names: of those that can be searched, whether their files are here or not.
    ///
    /// # Errors
    /// When it is none of them, or cannot be read.
    pub async fn named(
        &self,
        kind: RecordKind,
        build: &BuildName,
    ) -> Result<BuildReader, NotSearchable> {
        match self.active(kind) {
            ActiveBuild::Unknown => return Err(NotSearchable::Unknown),
            ActiveBuild::Open(reader) if reader.build() == build => return Ok(reader),
            ActiveBuild::Open(_) | ActiveBuild::None => {}
        }
        self.has_files_before(kind, build).await?;
        match self.by_name(kind, build).await {
            Ok(Some(reader)) => Ok(reader),
            Ok(None) => Err(self.gone(kind)),
            Err(fault) => Err(NotSearchable::Read(fault)),
        }
    }

    fn gone(&self, kind: RecordKind) -> NotSearchable {
        NotSearchable::Gone {
            active: self.0.active.borrow().build(kind),
        }
    }

    /// Whether a build that was active before has search files.
    async fn has_files_before(
        &self,
        kind: RecordKind,
        build: &BuildName,
    ) -> Result<bool, NotSearchable> {
        let mut has_files = self.was_active(kind, build);
        if has_files.is_none() {
            // Another process may have followed a switch that this one has not seen yet, and handed out a cursor.
            self.poll_anew().await?;
            has_files = self.was_active(kind, build);
        }
        has_files.ok_or_else(|| self.gone(kind))
    }

    async fn searchable_before(
        &self,
        kind: RecordKind,
        build: &BuildName,
    ) -> Result<Searchable, NotSearchable> {
        let has_files = self.has_files_before(kind, build).await?;
        let files = self.0.shelf.get(build).ok_or_else(|| {
            if has_files {
                NotSearchable::Fetching
            } else {
                NotSearchable::WithoutFiles(build.clone())
            }
        })?;
        match self.by_name(kind, build).await {
            Ok(Some(reader)) => Ok(Searchable { reader, files }),
            Ok(None) => Err(self.gone(kind)),
            Err(fault) => Err(NotSearchable::Read(fault)),
        }
    }

    /// Whether a build that is or was active has search files; `None` when it is none of them.
    fn was_active(&self, kind: RecordKind, build: &BuildName) -> Option<bool> {
        let retired = self.0.retired.lock();
        let retired = retired.unwrap_or_else(PoisonError::into_inner);
        retired.get(&(kind, build.clone())).copied()
    }

    /// The search files of a build, if they are here.
    #[must_use]
    pub fn files(&self, build: &BuildName) -> Option<Arc<BuildFiles>> {
        self.0.shelf.get(build)
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
        if let ActiveBuild::Open(reader) = self.active(kind)
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
        let mut held = self.0.shelf.changes();
        let mut was_readable = true;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = ticks.tick() => {}
                // An active build may have waited for these files.
                Ok(()) = held.changed() => {}
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
    /// When the pointers cannot be read; nothing changes then.
    pub async fn poll(&self) -> Result<(), ReadFault> {
        let mut last = self.0.last_poll.lock().await;
        self.poll_in_turn(&mut last).await
    }

    /// As [`Self::poll`]; of those who ask at the same time, one polls for all.
    async fn poll_anew(&self) -> Result<(), NotSearchable> {
        let asked = Instant::now();
        let mut last = self.0.last_poll.lock().await;
        match last.filter(|poll| poll.began >= asked) {
            Some(poll) if poll.was_read => Ok(()),
            Some(_) => Err(NotSearchable::Unknown),
            None => {
                let polled = self.poll_in_turn(&mut last).await;
                polled.map_err(NotSearchable::Read)
            }
        }
    }

    async fn poll_in_turn(&self, last: &mut Option<LastPoll>) -> Result<(), ReadFault> {
        let began = Instant::now();
        let polled = self.switch().await;
        let was_read = polled.is_ok();
        self.0.is_readable.store(was_read, Ordering::Relaxed);
        *last = Some(LastPoll { began, was_read });
        polled
    }

    async fn switch(&self) -> Result<(), ReadFault> {
        let (pointers, unreadable) = self.0.pointers.all(SEARCHABLE_RETIRED_BUILDS).await?;
        let hides_active = |kind| {
            let mut active = unreadable.iter().filter(|one| one.is_active);
            active.any(|one| one.kind.is_none_or(|of| of == kind))
        };
        let (hides_person, hides_company) = (
            hides_active(RecordKind::Person),
            hides_active(RecordKind::Company),
        );
        self.tell_unreadable(unreadable);
        let before = self.0.active.borrow().clone();
        self.0.shelf.want(wanted(&before, &pointers));
        self.note_retired(&before, &pointers);
        // Each kind for itself: a build that cannot be opened does not keep the other kind from its own.
        let (person, company) = tokio::join!(
            self.follow_one(&before, RecordKind::Person, &pointers, hides_person),
            self.follow_one(&before, RecordKind::Company, &pointers, hides_company),
        );
        if !before.person.is_as(&person) || !before.company.is_as(&company) {
            self.0.active.send_replace(Active { person, company });
        }
        Ok(())
    }

    /// `hides_active`: without an active build among the pointers there may be one all the same, whose row cannot be read.
    async fn follow_one(
        &self,
        before: &Active,
        kind: RecordKind,
        pointers: &[Pointer],
        hides_active: bool,
    ) -> Slot {
        let is_active = |pointer: &&Pointer| pointer.kind == kind && pointer.role == Role::Active;
        let current = before.slot(kind).following();
        // Without one before it is not known what there is: the records exist and cannot be read.
        let stays = || current.cloned().map_or(Slot::Unknown, Slot::Following);
        let Some(pointer) = pointers.iter().find(is_active) else {
            return if hides_active { stays() } else { Slot::None };
        };
        if let Some(same) = current.filter(|following| following.is_of(pointer)) {
            return Slot::Following(Following {
                pointer: pointer.clone(),
                ..same.clone()
            });
        }
        if let Some(current) = current
            && pointer.search_files.is_some()
            && self.0.shelf.get(&pointer.build).is_none()
        {
            tracing::debug!(%kind, build = %pointer.build, "an activated build waits for its search files");
            return Slot::Following(current.clone());
        }
        let reader = self.0.pointers.open(pointer);
        if let Err(fault) = reader.warm().await {
            if self.is_newly_unopened(pointer) {
                tracing::error!(%kind, build = %pointer.build, %fault, "an activated build cannot be opened; what answered before stays");
            }
            return stays();
        }
        self.note_opened(kind);
        tracing::info!(%kind, build = %pointer.build, "answering from another build");
        if pointer.edition < EDITION {
            tracing::warn!(
                %kind,
                build = %pointer.build,
                edition = pointer.edition,
                current = EDITION,
                "this build was loaded by an earlier edition of canon and keys: requests may miss its records until its data is loaded again"
            );
        }
        if let Some(old) = current {
            self.retain(old.reader.clone());
        }
        Slot::Following(Following {
            pointer: pointer.clone(),
            reader,
        })
    }

    /// Names each build of which the row cannot be read, once.
    fn tell_unreadable(&self, unreadable: Vec<UnreadablePointer>) {
        let told = self.0.unreadable.lock();
        let mut told = told.unwrap_or_else(PoisonError::into_inner);
        for one in unreadable.iter().filter(|one| !told.contains(one)) {
            let UnreadablePointer { build, what, .. } = one;
            tracing::error!(
                ?build,
                what,
                is_active = one.is_active,
                "a data build cannot be followed by what the read model says of it; the others are"
            );
        }
        *told = unreadable;
    }

    /// Whether this fault has not been told yet.
    fn is_newly_unopened(&self, pointer: &Pointer) -> bool {
        let unopened = self.0.unopened.lock();
        let mut unopened = unopened.unwrap_or_else(PoisonError::into_inner);
        let before = unopened.insert(pointer.kind, pointer.build.clone());
        before.as_ref() != Some(&pointer.build)
    }

    fn note_opened(&self, kind: RecordKind) {
        let unopened = self.0.unopened.lock();
        unopened
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&kind);
    }

    /// A build that is being replaced here and one that takes its place are both among those that were active.
    fn note_retired(&self, before: &Active, pointers: &[Pointer]) {
        let known = pointers.iter().filter(|one| one.role != Role::Loaded);
        let each = known.chain(before.answering(pointers));
        let noted = each.map(|one| ((one.kind, one.build.clone()), one.search_files.is_some()));
        let noted = noted.collect();
        let retired = self.0.retired.lock();
        *retired.unwrap_or_else(PoisonError::into_inner) = noted;
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
