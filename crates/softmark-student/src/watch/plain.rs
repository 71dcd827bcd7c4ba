//! Watch mode without a terminal: lines of text.

use std::io;
use std::sync::mpsc;
use std::time::Duration;

use crate::args::Selection;
use crate::change::{Change, NO_CHANGES};
use crate::error::StudentError;
use crate::paper::Paper;
use crate::setting::Setting;
use crate::text;
use crate::watch::files::Changes;
use crate::watch::state::{Phase, State};
use crate::watch::view;
use crate::watch::work::Work;

/// Time between two looks at the files: as good as without end.
const LONG: Duration = Duration::from_hours(1);

/// Runs the checks now and after each change, and writes the results, until the process is ended.
///
/// # Errors
///
/// Fails if files cannot be watched or the output is closed.
pub(crate) fn watch(setting: &Setting, selection: &Selection) -> Result<(), StudentError> {
    let changes = Changes::watch(setting)?;
    let work = Work { setting, selection };
    let mut state = State::new(setting, &|id| selection.contains(id));
    loop {
        let (send, events) = mpsc::channel();
        work.work(Change::latest(&NO_CHANGES), &state.checks(), &send);
        drop(send);
        for event in events {
            state.apply(event);
        }
        write(setting, &state).map_err(|error| StudentError::Watch(error.to_string()))?;
        while !changes.wait(LONG) {}
    }
}

fn write(setting: &Setting, state: &State) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut paper = Paper::new(&mut out, false);
    if state.phase == Phase::Waiting {
        for line in view::tasks(state) {
            paper.line(&line.text)?;
        }
    }
    for line in view::details(setting, state) {
        paper.line(&line.text)?;
    }
    text::summary(state.tally(), state.rejected.len(), &mut paper)?;
    paper.line("\nwaiting for a file to be saved")
}
