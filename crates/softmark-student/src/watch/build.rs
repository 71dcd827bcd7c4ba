//! Compiles the student's code.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::error::StudentError;

/// Name of the test with the public checks.
const TEST: &str = "public";

/// Outcome of compiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Built {
    /// The program of the checks, with the code as it is now.
    Program(PathBuf),
    /// The code does not compile; the messages of the compiler.
    Failed(Vec<String>),
}

/// Message of cargo, as far as it is read.
#[derive(Deserialize)]
struct Message {
    reason: String,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// Compiles the package in `folder` in the way in which this program was compiled.
///
/// # Errors
///
/// Fails if cargo cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo compiles for its user, as it did for `cargo test`"
)]
pub(crate) fn build(folder: &Path) -> Result<Built, StudentError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.current_dir(folder).args([
        "test",
        "--test",
        TEST,
        "--no-run",
        "--color=never",
        "--message-format=json-render-diagnostics",
    ]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if cfg!(windows) {
        // Windows does not replace the file of a running program, and this one has the name of the next.
        command.arg("--target-dir").arg(folder.join("target").join("watch"));
    }
    let output = command.output().map_err(StudentError::io("start", Path::new(&cargo)))?;
    let program =
        program(&String::from_utf8_lossy(&output.stdout)).filter(|_| output.status.success());
    Ok(match program {
        Some(program) => Built::Program(program),
        None => Built::Failed(messages(&String::from_utf8_lossy(&output.stderr))),
    })
}

/// Returns the program of the checks, which cargo names in its messages.
fn program(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let is_checks = |message: &Message| {
        message.reason == "compiler-artifact"
            && message.target.as_ref().is_some_and(|target| target.name == TEST)
    };
    messages.filter(is_checks).find_map(|message| message.executable)
}

/// Returns the lines of the compiler's messages, without what cargo says of its own work.
fn messages(text: &str) -> Vec<String> {
    let is_work = |line: &&str| {
        let word = line.trim_start().split(' ').next().unwrap_or_default();
        ["Compiling", "Blocking", "Finished", "Fresh", "Checking"].contains(&word)
    };
    text.lines().filter(|line| !is_work(line)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_the_checks_is_found() {
        let text = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"lab\"},\"executable\":null}\n\
                    not json\n\
                    {\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"public\"},\"executable\":\"/t/public-1\"}\n\
                    {\"reason\":\"build-finished\",\"success\":true}\n";
        assert_eq!(program(text), Some("/t/public-1".into()));
        assert_eq!(program("{\"reason\":\"build-finished\",\"success\":false}"), None);
    }

    #[test]
    fn only_what_the_compiler_says_is_shown() {
        let text = "   Compiling lab v0.1.0\nerror[E0308]: mismatched types\n --> src/a.rs:1:1\n";
        assert_eq!(messages(text), ["error[E0308]: mismatched types", " --> src/a.rs:1:1"]);
    }
}
