//! Tasks that must run for as long as their process does.
//!
//! Guarantee: a task that ends by itself, by its return or by a panic, is named in the log and ends the process, in the order
//! of any other end. A process that goes on without one of its parts looks well and is not; whoever started it starts it anew.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// A task that must run ended before it was told to, or broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the {0} ended")]
pub struct Ended(pub &'static str);

/// The tasks of a process, or of a part of it. Dropping it ends them at once.
#[derive(Debug, Default)]
pub struct Watched {
    tasks: JoinSet<()>,
    names: HashMap<Id, &'static str>,
    first: Option<Ended>,
}

impl Watched {
    /// Starts a task that must run. What comes back is cancelled once it is over, however it ended.
    pub fn spawn(
        &mut self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> CancellationToken {
        let over = CancellationToken::new();
        let at_end = over.clone().drop_guard();
        let task = self.tasks.spawn(async move {
            let _at_end = at_end;
            task.await;
        });
        self.names.insert(task.id(), name);
        over
    }

    /// Waits for `served`, which ends after `stop`. The first task that ends before `stop` cancels it, so that what is at
    /// work is still answered.
    pub async fn guard(&mut self, stop: &CancellationToken, served: impl Future<Output = ()>) {
        let mut served = pin!(served);
        loop {
            tokio::select! {
                () = &mut served => return,
                Some(ended) = self.tasks.join_next_with_id() => {
                    if self.is_fault(ended, stop.is_cancelled()) {
                        stop.cancel();
                    }
                }
            }
        }
    }

    /// Waits until all tasks are over; they must have been told to end.
    pub async fn over(&mut self) {
        while let Some(ended) = self.tasks.join_next_with_id().await {
            self.is_fault(ended, true);
        }
    }

    /// As [`Self::over`], but waits no longer than `limit`: what is left then is ended.
    ///
    /// # Errors
    /// [`Ended`] when a task had ended before it was told to, or broke off later.
    pub async fn finish(mut self, limit: Duration) -> Result<(), Ended> {
        if tokio::time::timeout(limit, self.over()).await.is_err() {
            tracing::warn!(left = self.tasks.len(), "tasks were given up at the end");
        }
        self.first.map_or(Ok(()), Err)
    }

    fn is_fault(&mut self, ended: Result<(Id, ()), JoinError>, is_told: bool) -> bool {
        let (id, has_panicked) = match &ended {
            Ok((id, ())) => (*id, false),
            Err(fault) => (fault.id(), true),
        };
        if is_told && !has_panicked {
            return false;
        }
        let name = self.names.get(&id).copied().unwrap_or("task");
        tracing::error!(task = name, has_panicked, "what must run has ended");
        self.first.get_or_insert(Ended(name));
        true
    }
}
