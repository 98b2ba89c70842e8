//! Tasks that must run, and what follows when one does not.

use std::future::pending;
use std::time::Duration;

use service_kit::Watched;
use service_kit::watched::Ended;
use tokio_util::sync::CancellationToken;

/// Longer than any of these tests takes.
const LONG: Duration = Duration::from_secs(60);

/// What is served until `stop`, and a little longer.
async fn served(stop: CancellationToken, is_drained: CancellationToken) {
    stop.cancelled().await;
    tokio::task::yield_now().await;
    is_drained.cancel();
}

/// A process with one sound task and another one; how it ends, and whether what was at work was answered.
async fn ends(other: impl Future<Output = ()> + Send + 'static) -> (Result<(), Ended>, bool) {
    let (stop, is_drained) = (CancellationToken::new(), CancellationToken::new());
    let mut watched = Watched::default();
    watched.spawn("sound task", stop.clone().cancelled_owned());
    watched.spawn("other task", other);
    let served = served(stop.clone(), is_drained.clone());
    watched.guard(&stop, served).await;
    (watched.finish(LONG).await, is_drained.is_cancelled())
}

#[tokio::test]
async fn a_task_that_returns_ends_the_process_after_its_drain_by_name() {
    let ended = ends(async {}).await;
    assert_eq!(ended, (Err(Ended("other task")), true));
}

#[tokio::test]
async fn a_task_that_panics_ends_the_process_after_its_drain_by_name() {
    let ended = ends(async { panic!("the test lets it break off") }).await;
    assert_eq!(ended, (Err(Ended("other task")), true));
}

#[tokio::test]
async fn tasks_that_end_after_they_were_told_to_are_no_fault_unless_they_panic() {
    for (breaks_off, expected) in [(false, Ok(())), (true, Err(Ended("task")))] {
        let stop = CancellationToken::new();
        let told = stop.clone();
        let mut watched = Watched::default();
        watched.spawn("task", async move {
            told.cancelled().await;
            assert!(!breaks_off, "the test lets it break off");
        });
        stop.cancel();
        watched.guard(&stop, std::future::ready(())).await;
        assert_eq!(watched.finish(LONG).await, expected);
    }
}

#[tokio::test]
async fn a_task_that_does_not_end_is_given_up_after_the_limit() {
    let mut watched = Watched::default();
    let over = watched.spawn("task", pending());
    let limit = Duration::from_millis(20);
    assert_eq!(watched.finish(limit).await, Ok(()));
    over.cancelled().await;
}

#[tokio::test]
async fn the_end_of_one_task_can_be_waited_for() {
    let stop = CancellationToken::new();
    let mut watched = Watched::default();
    watched.spawn("other task", pending());
    let over = watched.spawn("task", stop.clone().cancelled_owned());
    assert!(!over.is_cancelled());
    stop.cancel();
    over.cancelled().await;
}
