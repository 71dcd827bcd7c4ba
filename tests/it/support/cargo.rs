//! Cargo, as a user calls it.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the compiler with these arguments, which are separated by spaces, to be run in the folder `dir`.
#[expect(clippy::disallowed_methods, reason = "a user starts the compiler without the sandbox")]
pub(crate) fn rustc(args: &str, dir: &Path) -> Command {
    let mut command = Command::new("rustc");
    command.args(args.split_whitespace()).current_dir(dir).stdin(Stdio::null());
    command
}

/// Returns cargo with these arguments, which are separated by spaces, to be run in the folder `dir`.
#[expect(clippy::disallowed_methods, reason = "a user starts cargo without the sandbox")]
pub(crate) fn cargo(args: &str, dir: &Path) -> Command {
    // With the variables that cargo sets for this test, it would build everything again.
    let set = std::env::vars_os().map(|(name, _)| name);
    let ours = set.filter(|name| name.to_string_lossy().starts_with("CARGO_PKG"));
    let mut command = Command::new("cargo");
    for name in ours.chain(["CARGO_MANIFEST_DIR", "RUST_BACKTRACE"].map(Into::into)) {
        command.env_remove(name);
    }
    command.args(args.split_whitespace()).current_dir(dir).stdin(Stdio::null());
    command
}
