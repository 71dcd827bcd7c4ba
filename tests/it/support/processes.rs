//! The machine's processes, as /proc shows them.

use std::fs;
use std::path::{Path, PathBuf};

/// Every process that names `path` on its command line, or has its program or its folder there.
pub(crate) fn within(path: &Path) -> Vec<String> {
    let own = std::process::id().to_string();
    let path = path.to_str().unwrap();
    let mut found = Vec::new();
    for process in pids() {
        let dir = Path::new("/proc").join(process.to_string());
        let line = fs::read(dir.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let link = |name| fs::read_link(dir.join(name)).unwrap_or_default();
        let links: [PathBuf; 2] = [link("cwd"), link("exe")];
        let there = line.contains(path)
            || links.iter().any(|link| link.to_string_lossy().starts_with(path));
        if there && process.to_string() != own {
            found.push(format!("{process}: {line}"));
        }
    }
    found
}

fn pids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Every process below `root` whose command line `fits`.
pub(crate) fn below(root: u32, fits: impl Fn(&str) -> bool) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(pid) = found.get(next).copied() {
        next += 1;
        for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            found.extend(children.split_whitespace().filter_map(|it| it.parse::<u32>().ok()));
        }
    }
    found.retain(|pid| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        *pid != root && fits(&String::from_utf8_lossy(&line).replace('\0', " "))
    });
    found
}
