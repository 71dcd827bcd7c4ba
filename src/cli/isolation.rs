//! Chooses the isolation level of submissions, and verifies that this machine supports it.

use std::path::Path;

use softmark_sandbox::{Level, best_level, verify_level};

use crate::cli::failure::Failure;

/// The lowest level at which submissions are compiled: below it, a compiler reads what the user can.
pub(crate) const LEAST: Level = Level::Landlock;

/// Isolation requested on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The best available level, and at least this one.
    AtLeast(Level),
    /// Exactly this level.
    Exactly(Level),
    /// This level, for processes that compile nothing.
    Workers(Level),
}

/// The level that submissions are graded at.
///
/// # Errors
///
/// When this machine does not have it. A lower one is never taken in its stead.
pub(crate) fn choose(wanted: Wanted, grade: &Path) -> Result<Level, Failure> {
    let least = match wanted {
        Wanted::Exactly(Level::Strict) => {
            return Err(Failure::usage(
                "isolation `strict` does not keep the compiler from your files, so no submission is \
                 graded with it",
                "ask for `landlock` or a better level; `grade doctor` tells which this machine has",
            ));
        }
        Wanted::Exactly(level) | Wanted::Workers(level) => {
            return match verify_level(grade, level) {
                Ok(()) => Ok(level),
                Err(reason) => Err(Failure::broken(
                    format!("isolation `{level}` cannot be had on this machine: {reason}"),
                    advice(level),
                )),
            };
        }
        Wanted::AtLeast(least) => least.max(LEAST),
    };
    let (best, wanting) = best_level(grade);
    if best >= least {
        return Ok(best);
    }
    let reasons = wanting.iter().filter(|(level, _)| *level >= least);
    let reasons: Vec<String> =
        reasons.map(|(level, reason)| format!("`{level}`: {reason}")).collect();
    Err(Failure::broken(
        format!(
            "submissions would be isolated at level `{best}` here, and `{least}` is needed ({})",
            reasons.join("; ")
        ),
        if least == LEAST { NOTHING_KEEPS_FILES } else { advice(least) },
    ))
}

/// Returns the level with this name, which the description of a run has.
///
/// # Errors
///
/// Fails if there is none: another one is never taken in its stead.
pub(crate) fn level(name: &str) -> Result<Level, Failure> {
    Level::from_name(name).ok_or_else(|| {
        let message = format!("there is no isolation level `{}`", name.escape_debug());
        Failure::broken(message, "another version of the grader has set the run up: start it again")
    })
}

/// Advice if no level keeps the compiler from the user's files.
const NOTHING_KEEPS_FILES: &str = "`grade doctor` tells how to get `landlock`, `bwrap` or `full`; where none can be had, grade in a \
     virtual machine. `--run-unsandboxed` grades all the same, and only code that you would run yourself \
     should be graded so";

/// Returns advice on how to enable a level.
pub(crate) fn advice(level: Level) -> &'static str {
    match level {
        Level::Full => {
            "user namespaces must be permitted: on Ubuntu `sudo sysctl -w \
             kernel.apparmor_restrict_unprivileged_userns=0`, elsewhere `sudo sysctl -w \
             user.max_user_namespaces=10000`; in a container, start it with `--security-opt \
             seccomp=unconfined`, or grade in a virtual machine"
        }
        Level::Bwrap => {
            "install bubblewrap (`sudo apt install bubblewrap`); Ubuntu lets it create namespaces \
             where other programs may not"
        }
        Level::Landlock => {
            "it takes Linux 5.13 or newer, with Landlock among the modules of the kernel's \
             command line (`lsm=landlock,…`); Docker 20.10.24 and newer permit it"
        }
        Level::Strict => {
            "it takes Linux with seccomp filters; on other systems, grade in a virtual machine"
        }
        Level::None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_is_not_offered() {
        let message = |wanted| choose(wanted, Path::new("/nonexistent/grade")).unwrap_err().message;
        let asked = message(Wanted::Exactly(Level::Strict));
        assert!(asked.contains("does not keep the compiler from your files"), "{asked}");
        // Where no level holds, `strict` is never what is settled for.
        for least in [Level::Strict, Level::Landlock] {
            let none = message(Wanted::AtLeast(least));
            assert!(none.contains("and `landlock` is needed (`full`: "), "{none}");
        }
    }

    #[test]
    fn every_level_has_its_advice() {
        for level in Level::ALL {
            assert_eq!(advice(level).is_empty(), level == Level::None, "{level}");
        }
    }
}
