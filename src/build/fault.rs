//! Faults of a student's code that keep it from becoming a program.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;
use softmark_sandbox::{CompletedProcess, ExitReason, Limits};
use softmark_untrusted::Untrusted;

use crate::build::code::{Source, is_own};
use crate::model::Usage;

/// Most errors that a message shows, and most bytes of them.
const SHOWN_ERRORS: usize = 10;
const SHOWN_BYTES: usize = 16 * 1024;

/// Kind of a build failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BuildFaultKind {
    /// The compiler or the linker found errors.
    Compile,
    /// The code uses something that submissions must not use.
    Forbidden,
    /// The compiler used up its time.
    TimedOut,
    /// The compiler used up its memory.
    OutOfMemory,
    /// The compiler crashed on the code.
    Crashed,
}

/// Fault of a student's code that keeps it from becoming a program.
#[derive(Debug, Clone)]
pub struct BuildFault {
    /// Kind of the failure.
    pub kind: BuildFaultKind,
    /// Message for the student: the first errors in the compiler's words, with paths as `src/…`.
    pub message: Untrusted,
    /// Number of errors.
    pub errors: usize,
    /// Resources used until the fault was found.
    pub usage: Usage,
    /// Locations of the compiler's errors, in their order; empty if the code was not compiled, or the compiler failed
    /// without naming a location.
    pub(crate) places: Vec<Location>,
}

/// Outcome of compiling a student's code.
#[derive(Debug, Clone)]
pub enum Compiled<T> {
    /// The code compiles.
    Built(T),
    /// The code has a fault.
    Faulty(BuildFault),
}

impl<T> Compiled<T> {
    /// Returns what was built, for callers to whom a fault of the code is an error.
    ///
    /// # Errors
    ///
    /// Returns the fault of the code.
    pub fn into_result(self) -> Result<T, BuildFault> {
        match self {
            Self::Built(built) => Ok(built),
            Self::Faulty(fault) => Err(fault),
        }
    }
}

/// Fields of a compiler diagnostic that are read here.
#[derive(Debug, Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    #[serde(default)]
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Child>,
    rendered: Option<String>,
    /// Code of the error; a syntax error has none.
    code: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
struct Span {
    file_name: String,
    is_primary: bool,
    #[serde(default)]
    text: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    text: String,
}

#[derive(Debug, Deserialize)]
struct Child {
    message: String,
}

/// Location of an error.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    /// Name of the file in the compiler's form: `src/attention.rs`.
    pub(crate) file: String,
    /// Source lines that the error points at.
    pub(crate) text: String,
    /// True if the code cannot be parsed.
    pub(crate) is_syntax: bool,
}

/// Prefixes of the names of library files; those of a submission begin with `src/`.
const LIBRARY_FILES: [&str; 4] = ["/rustc/", "rust/", "deps/", "softmark/"];

impl Location {
    /// True if the error is in a file that is neither in `source` nor a library's: the code made the
    /// compiler read it.
    pub(crate) fn is_foreign(&self, source: &Source) -> bool {
        let is_library = LIBRARY_FILES.iter().any(|begin| self.file.starts_with(begin));
        !is_library && !is_own(&self.file, source)
    }
}

impl BuildFault {
    /// Returns a fault of one error, without a location in the code.
    pub(crate) fn new(kind: BuildFaultKind, message: String) -> Self {
        let (message, usage) = (message.into(), Usage::default());
        Self { kind, message, errors: 1, usage, places: Vec::new() }
    }

    /// True if an error is in `file`.
    pub(crate) fn is_at(&self, file: &str) -> bool {
        self.places.iter().any(|place| place.file == file)
    }
}

/// Reads the result of a run of the compiler; returns `None` if it succeeded.
///
/// `limits` are those of the run; `prefixes` are machine paths and their replacements.
pub(crate) fn read(
    finished: &CompletedProcess,
    limits: &Limits,
    prefixes: &[(PathBuf, &str)],
) -> Option<BuildFault> {
    let alone = |kind, message| {
        Some(BuildFault { usage: finished.usage.into(), ..BuildFault::new(kind, message) })
    };
    match finished.exit {
        ExitReason::Exited(0) => None,
        ExitReason::Exited(1) => Some(errors(finished, prefixes)),
        ExitReason::CpuLimit => alone(
            BuildFaultKind::TimedOut,
            format!("compiling took more than {} s of processor time", limits.cpu_seconds),
        ),
        ExitReason::WallLimit | ExitReason::Stopped => alone(
            BuildFaultKind::TimedOut,
            format!("compiling took more than {} s", limits.wall.as_secs()),
        ),
        ExitReason::OutOfMemory => alone(
            BuildFaultKind::OutOfMemory,
            format!("compiling took more than {} MiB of memory", limits.memory_mebibytes),
        ),
        ExitReason::OutputLimit => alone(
            BuildFaultKind::Compile,
            "the compiler has more to say about the code than anyone can read".to_owned(),
        ),
        ExitReason::ThreadLimit => alone(
            BuildFaultKind::Crashed,
            format!("compiling took more than {} threads", limits.threads),
        ),
        ExitReason::Exited(code) => alone(
            BuildFaultKind::Crashed,
            format!("the compiler broke down over the code (exit code {code})"),
        ),
        ExitReason::Signaled(signal) => alone(
            BuildFaultKind::Crashed,
            format!("the compiler broke down over the code (signal {signal})"),
        ),
    }
}

fn errors(finished: &CompletedProcess, prefixes: &[(PathBuf, &str)]) -> BuildFault {
    let output = String::from_utf8_lossy(&finished.log);
    let mut rendered = Vec::new();
    let mut places = Vec::new();
    let mut counted = None;
    for diagnostic in output.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        let diagnostic: Diagnostic = diagnostic;
        if !diagnostic.level.starts_with("error") {
            continue;
        }
        if let Some(count) = aborting(&diagnostic.message) {
            counted = Some(count);
            continue;
        }
        let primary = diagnostic.spans.iter().filter(|span| span.is_primary);
        places.extend(primary.map(|span| Location {
            file: span.file_name.clone(),
            text: span.text.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect(),
            is_syntax: diagnostic.code.is_none(),
        }));
        rendered.push(clean(&text(diagnostic), prefixes));
    }
    let errors = counted.unwrap_or(rendered.len()).max(rendered.len()).max(1);
    let shown = rendered.len().min(SHOWN_ERRORS);
    rendered.truncate(SHOWN_ERRORS);
    let mut message = capped(&rendered.join("\n\n"));
    if shown == 0 {
        "the compiler failed without naming an error".clone_into(&mut message);
    } else if errors > shown {
        // Writing to a string does not fail.
        write!(message, "\n\n({shown} of {errors} errors are shown)").ok();
    }
    let (kind, message) = (BuildFaultKind::Compile, message.into());
    BuildFault { kind, message, errors, usage: finished.usage.into(), places }
}

/// Parses the number in `aborting due to 3 previous errors`.
fn aborting(message: &str) -> Option<usize> {
    let rest = message.strip_prefix("aborting due to ")?;
    rest.split(' ').next()?.parse().ok()
}

/// Returns the text of a diagnostic for a person.
fn text(diagnostic: Diagnostic) -> String {
    if !diagnostic.message.starts_with("linking with ") {
        return diagnostic.rendered.unwrap_or(diagnostic.message).trim_end().to_owned();
    }
    // A linker error holds the whole command line, with temporary names; only the linker's own
    // errors are kept.
    let mut lines = vec!["error: linking failed".to_owned()];
    for line in diagnostic.children.iter().flat_map(|child| child.message.lines()) {
        if let Some((_, error)) = line.split_once("ld: error: ") {
            lines.push(format!("  {error}"));
        }
    }
    lines.dedup();
    lines.join("\n")
}

/// Replaces this machine's paths.
fn clean(text: &str, prefixes: &[(PathBuf, &str)]) -> String {
    let mut longest: Vec<(String, &str)> =
        prefixes.iter().map(|(path, name)| (path.to_string_lossy().into_owned(), *name)).collect();
    longest.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    let mut text = text.to_owned();
    for (path, name) in longest.iter().filter(|(path, _)| path.len() > 1) {
        text = text.replace(path, name);
    }
    text
}

/// Returns the text, cut at a line end if it is too long.
fn capped(text: &str) -> String {
    if text.len() <= SHOWN_BYTES {
        return text.to_owned();
    }
    let mut short = String::new();
    for line in text.lines() {
        if short.len() + line.len() > SHOWN_BYTES {
            break;
        }
        short.push_str(line);
        short.push('\n');
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use softmark_sandbox::ResourceUsage;

    use super::*;
    use crate::build::rustc::first_limits;

    fn failed(log: &str, exit: ExitReason) -> Option<BuildFault> {
        let finished = CompletedProcess {
            exit,
            usage: ResourceUsage::default(),
            log: log.as_bytes().to_vec(),
            log_truncated: false,
        };
        let limits = Limits { cpu_seconds: 7, ..first_limits() };
        read(&finished, &limits, &[(PathBuf::from("/a"), "x"), (PathBuf::from("/a/b"), "y")])
    }

    fn error(number: usize) -> String {
        format!(
            r#"{{"level":"error","message":"m","spans":[],"children":[],"rendered":"error: {number} in /a/b/c and /a/d\n"}}"#
        )
    }

    #[test]
    fn the_longest_path_is_the_one_that_is_replaced() {
        let fault = failed(&error(1), ExitReason::Exited(1)).unwrap();
        assert_eq!(fault.message, "error: 1 in y/c and x/d");
        assert_eq!(fault.errors, 1);
    }

    #[test]
    fn only_the_first_errors_are_shown() {
        let mut log: Vec<String> = (0..30).map(error).collect();
        log.push(r#"{"level":"error","message":"aborting due to 30 previous errors"}"#.to_owned());
        let fault = failed(&log.join("\n"), ExitReason::Exited(1)).unwrap();
        assert_eq!(fault.errors, 30);
        assert!(
            fault.message.as_raw().ends_with("(10 of 30 errors are shown)"),
            "{}",
            fault.message
        );
    }

    #[test]
    fn what_is_no_diagnostic_is_left_out() {
        let fault = failed("not json\n{}\n", ExitReason::Exited(1)).unwrap();
        assert_eq!(fault.message, "the compiler failed without naming an error");
        assert_eq!(fault.errors, 1);
    }

    #[test]
    fn limits_have_their_own_kinds() {
        let kind = |ending| failed("", ending).map(|fault| fault.kind);
        assert_eq!(kind(ExitReason::CpuLimit), Some(BuildFaultKind::TimedOut));
        let message = failed("", ExitReason::CpuLimit).unwrap().message;
        assert_eq!(message, "compiling took more than 7 s of processor time");
        assert_eq!(kind(ExitReason::OutOfMemory), Some(BuildFaultKind::OutOfMemory));
        assert_eq!(kind(ExitReason::Exited(101)), Some(BuildFaultKind::Crashed));
        assert_eq!(kind(ExitReason::Signaled(11)), Some(BuildFaultKind::Crashed));
        assert_eq!(kind(ExitReason::Exited(0)), None);
    }
}
