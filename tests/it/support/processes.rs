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
