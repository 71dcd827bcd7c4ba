//! Changes of a student's files.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::error::StudentError;
use crate::setting::Setting;

/// Time without further changes after which a save is complete: editors write, rename and set attributes at once.
const QUIET: Duration = Duration::from_millis(30);

/// Watcher of the files of an assignment.
#[derive(Debug)]
pub(crate) struct Changes {
    events: Receiver<notify::Result<Event>>,
    folder: PathBuf,
    /// Files beside `src/` that are handed in.
    others: Vec<PathBuf>,
    /// Ends the watching when it is dropped.
    _watcher: RecommendedWatcher,
}

impl Changes {
    /// Begins to watch the files of an assignment.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be watched.
    pub(crate) fn watch(setting: &Setting) -> Result<Self, StudentError> {
        let folder =
            setting.folder.canonicalize().map_err(StudentError::io("find", &setting.folder))?;
        let (send, events) = mpsc::channel();
        let failed = |error: notify::Error| StudentError::Watch(error.to_string());
        let mut watcher = notify::recommended_watcher(send).map_err(failed)?;
        watcher.watch(&folder.join("src"), RecursiveMode::Recursive).map_err(failed)?;
        watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(failed)?;
        let answers = setting.assignment.answers.iter().map(|name| folder.join(name));
        Ok(Self { events, others: answers.collect(), folder, _watcher: watcher })
    }

    /// Waits for a change for at most `limit`; returns true if there was one.
    pub(crate) fn wait(&self, limit: Duration) -> bool {
        match self.events.recv_timeout(limit) {
            Ok(event) => {
                let mut has_changed = self.is_change(&event);
                while let Ok(event) = self.events.recv_timeout(QUIET) {
                    has_changed |= self.is_change(&event);
                }
                has_changed
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }

    /// True if the event changes a file that the checks depend on. After an error, it may have.
    fn is_change(&self, event: &notify::Result<Event>) -> bool {
        let Ok(event) = event else { return true };
        let is_write = match event.kind {
            EventKind::Access(_) => false,
            EventKind::Any
            | EventKind::Create(_)
            | EventKind::Modify(_)
            | EventKind::Remove(_)
            | EventKind::Other => true,
        };
        is_write && event.paths.iter().any(|path| self.is_ours(path))
    }

    fn is_ours(&self, path: &Path) -> bool {
        let is_source = path.starts_with(self.folder.join("src"))
            && path.extension().is_some_and(|it| it == "rs");
        is_source || self.others.iter().any(|other| other == path)
    }
}
