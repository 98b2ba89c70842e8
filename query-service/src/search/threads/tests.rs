#![allow(clippy::unwrap_used, clippy::panic)]
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
        async move { threads.run(Endless(slices)).await }
    });
    until(|| slices.load(Ordering::SeqCst) > 0).await;
    let before = slices.load(Ordering::SeqCst);
    assert!(threads.run(Slices(10)).await.is_ok());
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
    let run = threads.run(Endless(Arc::clone(&slices)));
    let Err(SearchFault::TimedOut { limit, elapsed }) = threads.deadline().bound(run).await else {
        panic!("it ended otherwise")
    };
    assert_eq!(limit, Duration::from_millis(20));
    assert!(elapsed >= limit);
    // Its state is gone with it: nobody else holds the counter.
    until(|| Arc::strong_count(&slices) == 1).await;
}

#[tokio::test]
async fn beyond_the_queue_searches_are_refused_until_somebody_gives_up() {
    let threads = threads(ThreadLimits {
        waiting: 1,
        under_way: 1,
        ..one_thread()
    });
    let (began, may_end) = (Arc::default(), Arc::default());
    let stuck = tokio::spawn({
        let (threads, stuck) = (
            threads.clone(),
            Stuck(Arc::clone(&began), Arc::clone(&may_end)),
        );
        async move { threads.run(stuck).await }
    });
    until(|| began.load(Ordering::SeqCst)).await;
    let mut waiting = Box::pin(threads.run(Slices(1)));
    assert!(futures::poll!(waiting.as_mut()).is_pending());
    assert_eq!(threads.run(Slices(1)).await, Err(SearchFault::Full));
    drop(waiting);
    let mut waiting = Box::pin(threads.run(Slices(1)));
    assert!(futures::poll!(waiting.as_mut()).is_pending());
    may_end.store(true, Ordering::SeqCst);
    assert!(stuck.await.unwrap().is_ok());
    assert!(waiting.await.is_ok());
}

#[tokio::test]
async fn a_search_that_panics_breaks_off_alone() {
    let threads = threads(one_thread());
    assert_eq!(threads.run(Panics).await, Err(SearchFault::Broken));
    assert!(threads.run(Slices(1)).await.is_ok());
}
