//! Landlock rules: which files a process may open.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use crate::job::NULL_DEVICE;

/// Newest Landlock ABI whose rules are requested; an older kernel applies those that it supports. They
/// cover files, TCP, `ioctl` on devices, signals and abstract sockets.
const NEWEST_ABI: ABI = ABI::V6;

/// Denies this process to open any file but those in `read` and `write`, and to execute any but
/// `program`, which is open already, where there is one.
///
/// # Errors
///
/// Fails if the kernel has no Landlock, or a path does not exist.
pub(crate) fn restrict_files(
    read: &[PathBuf],
    write: &[PathBuf],
    program: Option<&File>,
) -> io::Result<()> {
    let all = AccessFs::from_all(NEWEST_ABI);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST_ABI)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST_ABI)))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    for path in read {
        rules = allow_path(rules, path, AccessFs::from_read(NEWEST_ABI))?;
    }
    for path in write {
        rules = allow_path(rules, path, all)?;
    }
    if !(read.is_empty() && write.is_empty()) {
        rules = allow_path(rules, Path::new(NULL_DEVICE), all)?;
    }
    if let Some(program) = program {
        // The kernel opens the program once more to read it.
        rules = allow(rules, program, AccessFs::Execute | AccessFs::ReadFile)?;
    }
    let status = rules.restrict_self().map_err(io::Error::other)?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(io::Error::other("this kernel has no Landlock"));
    }
    Ok(())
}

/// Allows `access` to a file, or to a directory and everything in it.
fn allow_path(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    // The kernel rejects rules for files that contain rights for directories.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST_ABI) };
    allow(rules, &PathFd::new(path).map_err(io::Error::other)?, access)
}

fn allow(
    rules: RulesetCreated,
    file: &impl AsFd,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    rules.add_rule(PathBeneath::new(file.as_fd(), access)).map_err(io::Error::other)
}
