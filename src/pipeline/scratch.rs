//! Where submissions are compiled and run.
//!
//! Invariant: a folder whose grader is gone is removed by the next one, and never one whose grader
//! is at work.
//!
//! Each run has a folder of its own and holds a lock on a file in it for as long as it lives. The
//! kernel opens that lock when a process ends, however it ends, so that whoever gets the lock of
//! another's folder knows that nobody is left who needs it; a process's number says no such thing.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use nix::fcntl::OFlag;
use nix::unistd::geteuid;
use tempfile::TempDir;

/// What the names of all runs' folders begin with.
const PREFIX: &str = "softmark-";

/// The locked file in a run's folder. Submissions get folders beside it, not in it.
const LOCK: &str = "lock";

/// How often a folder is tried again that something still writes into: what a grader started ends
/// some moments after the grader itself.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// A run's folder; gone when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Locked.
    _lock: File,
}

impl Scratch {
    /// Makes a run's folder in the folder `temporary`, and removes what graders that are gone have
    /// left there.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written to.
    pub fn make(temporary: &Path) -> io::Result<Self> {
        clean(temporary);
        loop {
            let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(temporary)?;
            match open_lock(made.path()) {
                Ok(lock) if lock.try_lock().is_ok() && is_there(&lock) => {
                    return Ok(Self { path: made.keep(), _lock: lock });
                }
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                // Another grader took it for an abandoned one before it was locked.
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder for one submission; it goes when it is no longer needed.
    ///
    /// # Errors
    ///
    /// When there is no room for it.
    pub fn folder(&self) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix("").tempdir_in(&self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left then is for the next run.
        remove(&self.path).ok();
    }
}

/// Removes a run's folder, into which something may still write.
///
/// # Errors
///
/// When it is still there afterwards.
pub fn remove(path: &Path) -> io::Result<()> {
    let mut tries = 0;
    loop {
        match fs::remove_dir_all(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) if tries == TRIES => return Err(error),
            Err(_) => {
                tries += 1;
                thread::sleep(PAUSE);
            }
        }
    }
}

/// Removes the folders of graders that are gone; what cannot be removed is left to another run.
fn clean(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            remove_abandoned(&entry.path()).ok();
        }
    }
}

fn remove_abandoned(path: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    // Everybody may write into /tmp, and use our names.
    if !metadata.is_dir() || metadata.uid() != geteuid().as_raw() {
        return Ok(());
    }
    let lock = open_lock(path)?;
    if lock.try_lock().is_ok() {
        remove(path)?;
    }
    Ok(())
}

fn open_lock(folder: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(folder.join(LOCK))
}

/// Whether the file still has a name.
fn is_there(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn only_what_a_grader_left_behind_is_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let at = |name: &str| temporary.path().join(name);
        let running = Scratch::make(temporary.path()).unwrap();
        let submission = running.folder().unwrap();
        fs::write(submission.path().join("kept"), "").unwrap();
        // One that was killed after it had begun, one before, and others that are none of ours.
        fs::create_dir_all(at("softmark-dead/submission")).unwrap();
        fs::write(at("softmark-dead/lock"), "").unwrap();
        fs::write(at("softmark-dead/submission/main.rs"), "").unwrap();
        fs::create_dir(at("softmark-young")).unwrap();
        fs::create_dir(at("elsewhere")).unwrap();
        fs::write(at("elsewhere/kept"), "").unwrap();
        symlink(at("elsewhere"), at("softmark-link")).unwrap();
        fs::write(at("softmark-file"), "").unwrap();
        let next = Scratch::make(temporary.path()).unwrap();
        assert!(submission.path().join("kept").exists() && at("elsewhere/kept").exists());
        let name = |scratch: &Scratch| scratch.path().file_name().unwrap().to_owned();
        let (first, second) = (name(&running), name(&next));
        let left = [first.to_str().unwrap(), second.to_str().unwrap(), "elsewhere"];
        let others = ["softmark-file", "softmark-link"];
        let expected: BTreeSet<String> =
            left.into_iter().chain(others).map(str::to_owned).collect();
        assert_eq!(names(temporary.path()), expected);
        drop(submission);
        drop(running);
        drop(next);
        assert_eq!(names(temporary.path()).len(), 3);
    }

    #[test]
    fn a_link_in_the_place_of_the_lock_is_not_followed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("softmark-trap");
        fs::create_dir(&folder).unwrap();
        symlink(temporary.path().join("made"), folder.join(LOCK)).unwrap();
        let scratch = Scratch::make(temporary.path()).unwrap();
        assert!(!temporary.path().join("made").exists() && folder.exists());
        drop(scratch);
    }

    #[test]
    fn many_graders_may_begin_at_once() {
        let temporary = tempfile::tempdir().unwrap();
        let begin = || {
            for _ in 0..50 {
                let scratch = Scratch::make(temporary.path()).unwrap();
                let folder = scratch.folder().unwrap();
                fs::write(folder.path().join("file"), "text").unwrap();
                assert!(folder.path().join("file").exists());
            }
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(begin);
            }
        });
        assert!(names(temporary.path()).is_empty());
    }
}
