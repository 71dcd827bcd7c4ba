//! Name spaces: what a process finds around itself.

use std::fs;
use std::io;

use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};

/// Makes this process the superuser of a user name space of its own, and gives its next child a name
/// space of processes.
///
/// Neither gives it a right over anything outside. It has to have no other thread.
///
/// # Errors
///
/// When the kernel, or whatever confines this process already, does not permit it.
pub(crate) fn begin() -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER).map_err(|errno| told("make a user name space", errno))?;
    // Without that a group could be given up that denies access.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("0 {group} 1"))
}

/// Gives this thread's next child a name space of processes, in which it is the first. From then on
/// this process can start no thread.
///
/// # Errors
///
/// When the kernel does not permit it.
pub(crate) fn next_child_alone() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWPID).map_err(|errno| told("make a name space of processes", errno))
}

/// Gives this process mounts, a network, and objects of System V of its own.
///
/// # Errors
///
/// When the kernel does not permit it.
pub(crate) fn enter() -> io::Result<()> {
    let flags = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    unshare(flags).map_err(|errno| told("make name spaces", errno))
}

fn told(what: &str, errno: nix::errno::Errno) -> io::Error {
    io::Error::other(format!("cannot {what}: {}", errno.desc()))
}
