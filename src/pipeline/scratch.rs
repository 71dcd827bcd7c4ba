//! Scratch folders, in which submissions are compiled and run.
//!
//! Invariant: each grader removes the folders of graders that have ended, and never one of a
//! running grader.
//!
//! Each run has a folder of its own and holds a lock on a file in it while it runs. The kernel
//! releases the lock when the process ends, in whatever way. Whoever can lock the file of a folder
//! therefore knows that the folder is unused; a process id would not show that.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use nix::fcntl::OFlag;
use nix::unistd::geteuid;
use tempfile::TempDir;

/// Prefix of the folder names of all runs.
const PREFIX: &str = "softmark-";

/// Name of the locked file in a run's folder.
const LOCK: &str = "lock";

/// Number of retries for removing a folder that something still writes into: processes that a
/// grader started end some moments after the grader itself.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// Folder of a run; removed on drop.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Locked file.
    _lock: File,
}

impl Scratch {
    /// Creates a run's folder in the folder `temporary`, and removes folders of ended graders
    /// there.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written to.
    pub fn make(temporary: &Path) -> io::Result<Self> {
        clean(temporary);
        loop {
            let made = private_folder(temporary, PREFIX)?;
            match open_lock(made.path()) {
                Ok(lock) if lock.try_lock().is_ok() && is_there(&lock) => {
                    return Ok(Self { path: made.keep(), _lock: lock });
                }
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                // Another grader took the folder for an abandoned one before it was locked.
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a folder for one submission, which is removed on drop.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created.
    pub fn folder(&self) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix("").tempdir_in(&self.path)
    }
}

/// Creates a folder that the user alone can read, and that is removed on drop: on a computer of many users, others would see
/// hidden checks, solutions and submissions in it.
///
/// # Errors
///
/// Fails if the folder cannot be created.
pub fn private_folder(parent: &Path, prefix: &str) -> io::Result<TempDir> {
    let user_alone = Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix(prefix).permissions(user_alone).tempdir_in(parent)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next run removes what is left.
        remove(&self.path).ok();
    }
}

/// Removes a run's folder, into which processes may still write.
///
/// # Errors
///
/// Fails if the folder still exists after the last retry.
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

/// Removes the folders of ended graders; folders that cannot be removed are left to another run.
fn clean(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            remove_abandoned(&entry.path()).ok();
        }
    }
}

fn remove_abandoned(path: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    // Every user may create folders with this prefix in /tmp.
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

/// True if the file still has a name in a folder.
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
        let mode = fs::metadata(running.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let submission = running.folder().unwrap();
        fs::write(submission.path().join("kept"), "").unwrap();
        // A run killed after it had begun, one killed before, and folders that belong to no run.
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
