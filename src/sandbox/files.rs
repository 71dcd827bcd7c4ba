//! Which files a process may open, by Landlock.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

/// The newest rules that are asked for; an older kernel takes those of them that it knows. These
/// are about files, TCP, devices' controls, signals and abstract sockets.
const NEWEST: ABI = ABI::V6;

/// Written to and read from by compilers and linkers.
pub(crate) const NULL: &str = "/dev/null";

/// Lets this process open nothing but `read` and `write`, and start the program that it has open.
///
/// # Errors
///
/// When the kernel has no Landlock, or a path is not there.
pub(crate) fn only(read: &[PathBuf], write: &[PathBuf], program: Option<&File>) -> io::Result<()> {
    let all = AccessFs::from_all(NEWEST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    let reading = AccessFs::from_read(NEWEST);
    for path in read {
        rules = allow(rules, &open(path)?, reading, path.is_dir())?;
    }
    for path in write {
        rules = allow(rules, &open(path)?, all, path.is_dir())?;
    }
    if !(read.is_empty() && write.is_empty()) {
        rules = allow(rules, &open(Path::new(NULL))?, all, false)?;
    }
    if let Some(program) = program {
        // The kernel opens it once more, to read it.
        rules = allow(rules, program, AccessFs::Execute | AccessFs::ReadFile, false)?;
    }
    let status = rules.restrict_self().map_err(io::Error::other)?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(io::Error::other("this kernel has no Landlock"));
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<PathFd> {
    PathFd::new(path).map_err(io::Error::other)
}

/// Lets `access` be had to what is at and below `place`; of a file there is less to be had.
fn allow(
    rules: RulesetCreated,
    place: &impl AsFd,
    access: BitFlags<AccessFs>,
    is_dir: bool,
) -> io::Result<RulesetCreated> {
    let access = if is_dir { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(place.as_fd(), access)).map_err(io::Error::other)
}
