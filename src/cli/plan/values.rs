//! Values of options that several commands have.

use globset::{Glob, GlobMatcher};
use softmark_sandbox::Level;

use crate::cli::args::IsolationArgs;
use crate::cli::failure::Failure;
use crate::cli::isolation::{LEAST, Wanted};
use crate::intake::{Names, NamesError};

/// Returns the isolation level that the options ask for.
pub(super) fn wanted(args: &IsolationArgs) -> Wanted {
    match (args.isolation, args.run_unsandboxed) {
        (_, true) => Wanted::Exactly(Level::None),
        (Some(level), false) => Wanted::Exactly(level),
        // Unsandboxed is what nobody gets who does not say so.
        (None, false) => Wanted::AtLeast(args.require_isolation.unwrap_or(LEAST)),
    }
}

/// Returns the device of this name.
pub(super) fn device(name: &str) -> Result<String, Failure> {
    let cuda = name.strip_prefix("cuda").is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix(':').is_some_and(|number| number.parse::<u16>().is_ok())
    });
    match name {
        "cpu" | "auto" => Ok("cpu".to_owned()),
        _ if cuda => Err(Failure::usage(
            format!("cannot grade on `{name}`: grading computes on the CPU alone"),
            "use `--device cpu`, or leave the option out",
        )),
        _ => Err(Failure::usage(
            format!("there is no device `{}`", name.escape_debug()),
            "use `cpu`, `cuda`, `cuda:N` or `auto`",
        )),
    }
}

/// Returns the rules for reading names that an option names.
pub(crate) fn names(given: &str) -> Result<Names, Failure> {
    let hint = "a pattern is a regular expression that catches who handed in, `(?<id>…)`, and perhaps \
                when, `(?<time>…)`";
    given.parse().map_err(|error: NamesError| Failure::usage(error.to_string(), hint))
}

/// Returns the pattern that `--only` names.
pub(crate) fn glob(pattern: &str) -> Result<GlobMatcher, Failure> {
    glob_of("--only", pattern)
}

/// Returns the pattern that an option names.
pub(super) fn glob_of(option: &str, pattern: &str) -> Result<GlobMatcher, Failure> {
    match Glob::new(pattern) {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => Err(Failure::usage(
            format!("`{option}` is no pattern: {error}"),
            "`*` stands for any text, `?` for one letter, `{a,b}` for a or b",
        )),
    }
}
