//! Linux namespaces.

use std::fs;
use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};

/// Moves this process into a new user namespace, in which it is root.
///
/// It gains no permission outside of the namespace. The process must have a single thread.
///
/// # Errors
///
/// Fails if the kernel, or whatever confines this process already, does not permit it.
pub(crate) fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER)
        .map_err(|errno| explain("create a user namespace", errno))?;
    // Otherwise the process could drop a group that is denied access to some file.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("0 {group} 1"))
}

/// Creates a PID namespace in which this thread's next child is process 1. Afterwards this process
/// cannot start a thread.
///
/// # Errors
///
/// Fails if the kernel does not permit it.
pub(crate) fn create_pid_namespace() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWPID).map_err(|errno| explain("create a PID namespace", errno))
}

/// Moves this process into new mount, network, IPC, UTS and cgroup namespaces.
///
/// # Errors
///
/// Fails if the kernel does not permit it.
pub(crate) fn enter_other_namespaces() -> io::Result<()> {
    let flags = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    unshare(flags).map_err(|errno| explain("create namespaces", errno))
}

fn explain(action: &str, errno: Errno) -> io::Error {
    let known = [
        (Errno::ENOSPC, "the system allows no more of them"),
        (Errno::EPERM, "the system does not permit it"),
    ];
    let known = known.iter().find(|(of, _)| *of == errno);
    let reason = known.map_or(errno.desc(), |(_, reason)| reason);
    io::Error::other(format!("cannot {action}: {reason}"))
}
