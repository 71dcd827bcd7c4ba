//! What attacks may leave behind on a machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// In every name that an attack gives to something outside of its own folder.
pub(crate) const MARK: &str = "softmark-attack";

/// Folders of the machine that many may write to.
const SHARED: [&str; 5] = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue"];

/// What the machine looks like at a moment.
#[derive(Debug)]
pub(crate) struct Machine {
    /// Mounts that this process sees.
    mounts: String,
    /// Shared memory, semaphores and queues.
    ipc: BTreeSet<String>,
    /// Control groups with our name.
    groups: BTreeSet<String>,
    /// The pack and the project: path and hash.
    pack: String,
    project: String,
}

impl Machine {
    /// The machine now, the project at `home` and its pack included.
    pub(crate) fn look(home: &Path, pack: &Path) -> Self {
        let ipc = ["shm", "sem", "msg"].iter().flat_map(|kind| {
            let text = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
            let rows = text.lines().skip(1).filter_map(|row| {
                // Key and number: the rest counts uses.
                let words: Vec<&str> = row.split_whitespace().take(2).collect();
                (!words.is_empty()).then(|| format!("{kind} {}", words.join(" ")))
            });
            rows.collect::<Vec<_>>()
        });
        Self {
            mounts: fs::read_to_string("/proc/self/mountinfo").unwrap_or_default(),
            ipc: ipc.collect(),
            groups: groups(),
            pack: hash(pack),
            project: hash(home),
        }
    }

    /// What is not as it was before.
    pub(crate) fn differences(&self, before: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.mounts != before.mounts {
            found.push("the mounts are not what they were".to_owned());
        }
        if self.pack != before.pack {
            found.push("the pack is not what it was".to_owned());
        }
        if self.project != before.project {
            found.push("the project is not what it was".to_owned());
        }
        for (kind, now, then) in
            [("ipc", &self.ipc, &before.ipc), ("control group", &self.groups, &before.groups)]
        {
            found.extend(now.difference(then).map(|it| format!("{kind} is left: {it}")));
        }
        found
    }
}

/// Files with the attacks' mark in the machine's shared folders, below `dir`, and sockets that have
/// no file.
pub(crate) fn marks(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in list(&folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.contains(MARK) {
                found.push(path.display().to_string());
            } else if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            }
        }
    }
    for path in SHARED.iter().flat_map(|folder| list(Path::new(folder))) {
        if path.file_name().unwrap_or_default().to_string_lossy().contains(MARK) {
            found.push(path.display().to_string());
        }
    }
    let sockets = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    found.extend(sockets.lines().filter(|line| line.contains(MARK)).map(str::to_owned));
    found
}

/// Removes what [`marks`] finds.
pub(crate) fn wipe(dir: &Path) {
    for path in marks(dir) {
        let path = Path::new(&path);
        if path.is_dir() {
            fs::remove_dir_all(path).ok();
        } else {
            fs::remove_file(path).ok();
        }
    }
}

/// Processes that have something to do with `dir` (their program, their folder, their root or a word
/// of their command line lies there) or carry the attacks' mark, but for this one and `spared`.
pub(crate) fn processes(dir: &Path, spared: &[u32]) -> Vec<String> {
    let dir = dir.to_str().unwrap();
    let mut found = Vec::new();
    for process in list(Path::new("/proc")) {
        let name = process.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(pid) = name.parse::<u32>() else { continue };
        if pid == std::process::id() || spared.contains(&pid) {
            continue;
        }
        let link = |name: &str| fs::read_link(process.join(name)).unwrap_or_default();
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        let places = ["exe", "cwd", "root"].map(|name| link(name).display().to_string());
        let about = format!("{} {words}", places.join(" "));
        if about.contains(dir) || about.contains(MARK) {
            found.push(format!("{pid}: {about}"));
        }
    }
    found
}

fn groups() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for path in list(&folder) {
            if path.is_dir() && !path.is_symlink() {
                if path.to_string_lossy().contains("softmark") {
                    found.insert(path.display().to_string());
                }
                folders.push(path);
            }
        }
    }
    found
}

/// The paths, sizes and contents of all files below `dir`, links not followed, as one hash.
fn hash(dir: &Path) -> String {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in list(&folder) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for path in files {
        hash.update(path.to_string_lossy().as_bytes());
        if !path.is_symlink() {
            hash.update(fs::read(&path).unwrap_or_default());
        }
    }
    format!("{:02x?}", hash.finalize())
}

fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
