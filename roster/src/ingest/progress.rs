//! What the user sees while a file is loaded: a bar on a terminal, else a line now and then. With `--json` stderr is
//! left to the error body, so that nothing but the bar of a terminal is shown.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use events_schema::ids::BuildName;
use indicatif::{ProgressBar, ProgressStyle};

use crate::ingest::chunker::Chunk;
use crate::ingest::reader::Position;
use crate::output::Output;

/// Between two plain lines.
const EVERY: Duration = Duration::from_secs(5);
const STEADY_TICK: Duration = Duration::from_millis(120);
const BAR: &str = "{prefix} [{bar:30}] {percent}% {msg} {elapsed}";
const SPINNER: &str = "{prefix} {spinner} {msg} {elapsed}";

/// The progress of one file.
pub(crate) struct Progress {
    output: Output,
    bar: ProgressBar,
    position: Position,
    build: String,
    counts: Mutex<Counts>,
}

struct Counts {
    rows: u64,
    last_line: Instant,
}

impl Progress {
    pub(crate) fn new(output: Output, build: &BuildName, position: Position) -> Self {
        let bar = match position.total {
            _ if !output.has_terminal() => ProgressBar::hidden(),
            Some(total) => styled(ProgressBar::new(total), BAR),
            None => styled(ProgressBar::new_spinner(), SPINNER),
        };
        bar.set_prefix(build.to_string());
        bar.enable_steady_tick(STEADY_TICK);
        let progress = Self {
            output,
            bar,
            position,
            build: build.to_string(),
            counts: Mutex::new(Counts {
                rows: 0,
                last_line: Instant::now(),
            }),
        };
        progress
            .line("staging; if this is cut off, give the same file and this build's name to go on");
        progress
    }

    /// A chunk is in the object store.
    pub(crate) fn staged(&self, chunk: &Chunk) {
        let Ok(mut counts) = self.counts.lock() else {
            return;
        };
        counts.rows += u64::from(chunk.rows);
        self.bar.set_position(self.position.read());
        self.bar
            .set_message(format!("{} lines staged", counts.rows));
        if counts.last_line.elapsed() >= EVERY {
            counts.last_line = Instant::now();
            self.line(&format!("{} lines staged", counts.rows));
        }
    }

    /// Everything is staged.
    pub(crate) fn loading(&self) {
        let rows = self.counts.lock().map_or(0, |counts| counts.rows);
        self.bar.set_style(style(SPINNER));
        self.bar.set_message(format!("loading {rows} lines"));
        self.line(&format!("loading {rows} lines"));
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        if !self.output.has_terminal() {
            self.output.note(&format!("{}: {text}", self.build));
        }
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.with_style(style(template))
}

/// The templates are constants; if one were wrong the bar would be plain.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
