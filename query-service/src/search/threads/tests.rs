use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use column_files::Found;

use super::*;

/// Never done; counts its slices.
struct Endless(Arc<AtomicU64>);

impl Sliced for Endless {
    type Found = Found;

    fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::thread::yield_now();
        None
    }
}

/// Done after so many slices.
struct Slices(u32);

impl Sliced for Slices {
    type Found = Found;

    fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        self.0 = self.0.checked_sub(1)?;
        let total = u64::from(self.0);
        (self.0 == 0).then_some(Ok(Found {
            ranks: Vec::new(),
            total,
        }))
    }
}

/// Keeps its thread until it is told.
struct Stuck(Arc<AtomicBool>, Arc<AtomicBool>);

impl Sliced for Stuck {
    type Found = Found;

    fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        self.0.store(true, Ordering::SeqCst);
        while !self.1.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        Some(Ok(Found {
            ranks: Vec::new(),
            total: 0,
        }))
    }
}

struct Panics;

impl Sliced for Panics {
    type Found = Found;

    fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        panic!("a fault of the program")
    }
}

fn threads(limits: ThreadLimits) -> Threads {
    Threads::start(limits, Metrics::default()).unwrap()
}

fn one_thread() -> ThreadLimits {
    ThreadLimits {
        threads: 1,
        ..ThreadLimits::default()
    }
}

async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_search_that_never_ends_does_not_hold_up_others_on_the_same_thread() {
    let threads = threads(one_thread());
    let slices = Arc::new(AtomicU64::new(0));
    let endless = tokio::spawn({
        let (threads, slices) = (threads.clone(), Arc::clone(&slices));
        async move { threads.run(Endless(slices), Instant::now()).await }
    });
    until(|| slices.load(Ordering::SeqCst) > 0).await;
    let before = slices.load(Ordering::SeqCst);
    assert!(threads.run(Slices(10), Instant::now()).await.is_ok());
    // In turn: the other one went on meanwhile.
    assert!(slices.load(Ordering::SeqCst) > before);
    endless.abort();
}

#[tokio::test]
async fn a_search_past_its_deadline_is_cancelled_and_says_what_it_took() {
    let threads = threads(ThreadLimits {
        time_limit: Duration::from_millis(20),
        ..one_thread()
    });
    let slices = Arc::new(AtomicU64::new(0));
    let run = threads.run(Endless(Arc::clone(&slices)), Instant::now());
    let Err(SearchFault::TimedOut { limit, elapsed }) = threads.deadline().bound(run).await else {
        panic!("it ended otherwise")
    };
    assert_eq!(limit, Duration::from_millis(20));
    assert!(elapsed >= limit);
    // Its state is gone with it: nobody else holds the counter.
    until(|| Arc::strong_count(&slices) == 1).await;
}

/// A search that keeps the only thread until `may_end`; it has begun.
async fn stuck(
    threads: &Threads,
    may_end: &Arc<AtomicBool>,
) -> tokio::task::JoinHandle<Result<Found, SearchFault>> {
    let began = Arc::new(AtomicBool::new(false));
    let stuck = Stuck(Arc::clone(&began), Arc::clone(may_end));
    let threads = threads.clone();
    let running = tokio::spawn(async move { threads.run(stuck, Instant::now()).await });
    until(|| began.load(Ordering::SeqCst)).await;
    running
}

#[tokio::test]
async fn beyond_the_places_requests_are_refused_until_somebody_gives_up() {
    let threads = threads(ThreadLimits {
        waiting: 1,
        under_way: 1,
        ..one_thread()
    });
    let first = threads.place().unwrap();
    let _second = threads.place().unwrap();
    assert_eq!(threads.place().unwrap_err(), SearchFault::Full);
    drop(first);
    assert!(threads.place().is_ok());
}

#[tokio::test]
async fn searches_that_nobody_waits_for_take_no_room_in_the_queue() {
    let threads = threads(ThreadLimits {
        waiting: 1,
        under_way: 1,
        ..one_thread()
    });
    let may_end = Arc::default();
    let stuck = stuck(&threads, &may_end).await;
    for _ in 0..10 {
        let mut given_up = Box::pin(threads.run(Slices(1), Instant::now()));
        assert!(futures::poll!(given_up.as_mut()).is_pending());
    }
    let mut waiting = Box::pin(threads.run(Slices(1), Instant::now()));
    assert!(futures::poll!(waiting.as_mut()).is_pending());
    may_end.store(true, Ordering::SeqCst);
    assert!(stuck.await.unwrap().is_ok());
    assert!(waiting.await.is_ok());
}

/// Tells when it is done, as the next number.
struct Numbered(Arc<AtomicU64>);

impl Sliced for Numbered {
    type Found = u64;

    fn advance(&mut self) -> Option<Result<u64, TooBroad>> {
        Some(Ok(self.0.fetch_add(1, Ordering::SeqCst)))
    }
}

/// As of one that waited for a total meanwhile.
#[tokio::test]
async fn who_asked_first_begins_first_whenever_it_enters() {
    let threads = threads(one_thread());
    let (early, late) = (threads.place().unwrap(), threads.place().unwrap());
    let (may_end, done) = (Arc::default(), Arc::default());
    let stuck = stuck(&threads, &may_end).await;
    let numbered = || Numbered(Arc::clone(&done));
    let mut second = Box::pin(threads.run(numbered(), late.asked));
    assert!(futures::poll!(second.as_mut()).is_pending());
    let mut first = Box::pin(threads.run(numbered(), early.asked));
    assert!(futures::poll!(first.as_mut()).is_pending());
    may_end.store(true, Ordering::SeqCst);
    assert_eq!((first.await, second.await), (Ok(0), Ok(1)));
    assert!(stuck.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_search_that_panics_breaks_off_alone() {
    let threads = threads(one_thread());
    assert_eq!(
        threads.run(Panics, Instant::now()).await,
        Err(SearchFault::Broken)
    );
    assert!(threads.run(Slices(1), Instant::now()).await.is_ok());
}
