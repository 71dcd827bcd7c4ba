//! Drops permissions that the worker needed only to start.

use std::io;

/// The argument that makes a worker seal itself before it does anything else.
pub const SEALED: &str = "sealed";

/// Forbids this thread, and all threads started later, to start another program.
///
/// The sandbox starts a worker from an open file, so the seccomp filter at the start must permit `execveat`,
/// and no filter can see the path. The call is not needed afterwards. A filter can be added and never removed.
///
/// # Errors
///
/// Fails if the kernel does not accept a filter, or is not Linux.
pub fn seal() -> io::Result<()> {
    filter::install()
}

#[cfg(target_os = "linux")]
mod filter {
    use std::collections::BTreeMap;
    use std::io;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    /// System calls that replace the running program or change its seccomp filter.
    const STARTING: [libc::c_long; 3] = [libc::SYS_execveat, libc::SYS_execve, libc::SYS_seccomp];

    pub(super) fn install() -> io::Result<()> {
        let rules: BTreeMap<i64, Vec<_>> =
            STARTING.iter().map(|call| (number(*call), Vec::new())).collect();
        let machine = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, machine)
            .map_err(io::Error::other)?;
        let program = BpfProgram::try_from(filter).map_err(io::Error::other)?;
        apply_filter(&program).map_err(io::Error::other)
    }

    /// Converts a system call number; `c_long` has another size on other machines.
    #[allow(clippy::useless_conversion, clippy::allow_attributes, reason = "it is one here")]
    fn number(call: libc::c_long) -> i64 {
        i64::from(call)
    }
}

#[cfg(not(target_os = "linux"))]
mod filter {
    use std::io;

    pub(super) fn install() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
