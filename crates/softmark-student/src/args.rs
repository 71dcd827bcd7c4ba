//! The command line of the public checks.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};

use crate::child::ANSWER;
use crate::error::StudentError;

/// Text of `--help`.
pub(crate) const HELP: &str = "\
Runs the public checks of this assignment on your code.

Usage: cargo test --test public -- [CHECK...] [OPTIONS]

  CHECK...          run only checks whose id contains one of these
  --list            list the checks
  --seed N          use other random numbers than usual (default 1)
  --hint CHECK      show one more of three hints on a check
  --explain [NAME]  show the page of a known mistake, or a list of them
  --progress        show what is done, without running anything
  --watch           run the checks again whenever you save a file
  --pack [FILE]     write the archive to hand in, and list its contents
  --jobs N          run N checks at once (default: as many as there are processors)
  --classroom FILE  also write the results in the form of GitHub Classroom's graders
  --same-process    run the checks in one process, without limits: for a debugger
  --help            show this text
";

/// Options of Rust's own tests, which editors and `cargo test -- --nocapture` add, and which have no meaning here.
const IGNORED: [&str; 9] = [
    "nocapture",
    "no-capture",
    "show-output",
    "quiet",
    "exact",
    "ignored",
    "include-ignored",
    "report-time",
    "test",
];

/// Such options with a value.
const IGNORED_WITH_VALUE: [&str; 5] = ["test-threads", "format", "color", "logfile", "Z"];

/// Command of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// Run checks.
    Run(Selection),
    /// List checks.
    List(Vec<String>),
    /// Show one more hint on a check.
    Hint(String),
    /// Show the page of a mistake, or the list of all.
    Explain(Option<String>),
    /// Show what is done.
    Progress,
    /// Run checks whenever a file changes.
    Watch(Selection),
    /// Write the archive to hand in.
    Pack(Option<PathBuf>),
    /// Answer requests at this port.
    Answer(u16),
    /// Show the help text.
    Help,
}

/// Checks to run, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Parts of the ids of the checks; all checks if there are none.
    pub(crate) filters: Vec<String>,
    /// Seed of all random inputs.
    pub(crate) seed: u64,
    /// Number of checks at once.
    pub(crate) jobs: usize,
    /// True if the checks run in the process of the code.
    pub(crate) is_same_process: bool,
    /// File for the results in the form of GitHub Classroom's graders.
    pub(crate) classroom: Option<PathBuf>,
}

impl Selection {
    /// True if the check with this id is to run.
    pub(crate) fn contains(&self, id: &str) -> bool {
        is_selected(&self.filters, id)
    }
}

/// True if `id` contains one of the filters, or there are none.
pub(crate) fn is_selected(filters: &[String], id: &str) -> bool {
    filters.is_empty() || filters.iter().any(|part| id.contains(part.as_str()))
}

/// Reads the command line, without the name of the program.
///
/// # Errors
///
/// Fails if it cannot be understood.
pub(crate) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Command, StudentError> {
    try_read(args).map_err(|error| {
        let help = "`cargo test --test public -- --help` lists all options";
        StudentError::Usage(format!("{error}: {help}"))
    })
}

fn try_read(args: impl IntoIterator<Item = OsString>) -> Result<Command, lexopt::Error> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut selection =
        Selection { filters: Vec::new(), seed: 1, jobs, is_same_process: false, classroom: None };
    let mut chosen: Option<Command> = None;
    let mut is_list = false;
    let mut is_watch = false;
    let mut parser = Parser::from_args(args);
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Value(filter) => selection.filters.push(filter.string()?),
            Arg::Long("list") => is_list = true,
            Arg::Long("watch") => is_watch = true,
            Arg::Long("seed") => selection.seed = parser.value()?.parse()?,
            Arg::Long("jobs") => selection.jobs = parser.value()?.parse::<usize>()?.max(1),
            Arg::Long("same-process") => selection.is_same_process = true,
            Arg::Long("classroom") => selection.classroom = Some(parser.value()?.into()),
            Arg::Long("hint") => chosen = Some(Command::Hint(parser.value()?.string()?)),
            Arg::Long("explain") => {
                let name = optional(&mut parser)?;
                chosen = Some(Command::Explain(name.map(ValueExt::string).transpose()?));
            }
            Arg::Long("progress") => chosen = Some(Command::Progress),
            Arg::Long("pack") => {
                chosen = Some(Command::Pack(optional(&mut parser)?.map(PathBuf::from)));
            }
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            Arg::Long(name) if ANSWER.strip_prefix("--") == Some(name) => {
                return Ok(Command::Answer(parser.value()?.parse()?));
            }
            Arg::Long(name) if IGNORED.contains(&name) => {}
            Arg::Short('q') => {}
            Arg::Long(name) if IGNORED_WITH_VALUE.contains(&name) => drop(parser.value()?),
            Arg::Short('Z') => drop(parser.value()?),
            Arg::Long(_) | Arg::Short(_) => return Err(arg.unexpected()),
        }
    }
    Ok(match chosen {
        Some(command) => command,
        None if is_list => Command::List(selection.filters),
        None if is_watch => Command::Watch(selection),
        None => Command::Run(selection),
    })
}

/// Returns the value of an option that may have none.
fn optional(parser: &mut Parser) -> Result<Option<OsString>, lexopt::Error> {
    if let Some(value) = parser.optional_value() {
        return Ok(Some(value));
    }
    let next = parser.try_raw_args().and_then(|args| args.peek().map(ToOwned::to_owned));
    let has_value = next.is_some_and(|next| !next.to_string_lossy().starts_with('-'));
    if has_value { parser.value().map(Some) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        read(line.split_whitespace().map(OsString::from)).unwrap()
    }

    fn error(line: &str) -> String {
        read(line.split_whitespace().map(OsString::from)).unwrap_err().to_string()
    }

    #[test]
    fn checks_and_seeds_are_read() {
        let Command::Run(selection) = command("rows --seed 7 --nocapture --test-threads 2 shapes")
        else {
            panic!("not a run");
        };
        assert_eq!(
            (selection.filters.as_slice(), selection.seed),
            (&["rows".to_owned(), "shapes".to_owned()][..], 7)
        );
        assert!(selection.contains("a/rows-sum") && !selection.contains("a/mask"));
        assert!(selection.jobs >= 1 && !selection.is_same_process);
        let Command::Run(selection) = command("--classroom result.json") else {
            panic!("not a run")
        };
        assert_eq!(selection.classroom, Some("result.json".into()));
    }

    #[test]
    fn each_command_is_read() {
        assert_eq!(command("--list rows"), Command::List(vec!["rows".to_owned()]));
        assert_eq!(command("--hint a/b"), Command::Hint("a/b".to_owned()));
        assert_eq!(command("--explain"), Command::Explain(None));
        assert_eq!(command("--explain no-scale"), Command::Explain(Some("no-scale".to_owned())));
        assert_eq!(command("--pack --quiet"), Command::Pack(None));
        assert_eq!(command("--pack=out.zip"), Command::Pack(Some("out.zip".into())));
        assert_eq!(command("--progress"), Command::Progress);
        assert_eq!(command("--help"), Command::Help);
        assert_eq!(command("--answer-requests-at 4711"), Command::Answer(4711));
        assert!(matches!(command("--watch --jobs 3"), Command::Watch(Selection { jobs: 3, .. })));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (line, part) in
            [("--seed x", "x"), ("--wach", "--wach"), ("--hint", "--hint"), ("--jobs", "--jobs")]
        {
            let error = error(line);
            assert!(error.contains(part) && error.contains("--help"), "{line}: {error}");
        }
    }
}
