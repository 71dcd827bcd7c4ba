//! Command-line arguments.

mod checks;
mod course;
mod fill;
mod jobs;
mod ledger;
mod package;
mod parsers;
mod results;
mod serve;
mod similar;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use clap_complete::Shell;
use softmark_sandbox::Level;

use crate::report::Format;
pub(crate) use checks::{AuditArgs, CalibrateArgs, ExplainArgs, InsteadArgs};
pub(crate) use course::{
    CheckFormat, CourseCheckArgs, CourseCommand, CourseFilesArgs, CourseGradesArgs, GradesFormat,
    NewAssignmentArgs, NewCommand, NewCourseArgs, ReleaseArgs,
};
pub(crate) use fill::Fill;
pub(crate) use jobs::{AttachArgs, COMMAND, ChunkArgs, DoctorArgs, EngineArgs, JobsArgs, On};
pub(crate) use ledger::{
    AppealCommand, AppealTarget, DiffArgs, LogArgs, OverrideArgs, RegradeArgs, StatsArgs,
};
pub(crate) use package::{AutogradeArgs, GithubArgs, GradescopeArgs, PackageCommand};
use parsers::{format_parser, level_parser};
pub(crate) use results::{AudienceArgs, FeedbackArgs, MarkArgs, ShowArgs, Who};
pub(crate) use serve::{RoleName, ServeArgs, ServeCommand, UserCommand};
pub(crate) use similar::SimilarArgs;

/// Grades submissions to transformer-building assignments.
///
/// `grade SUBMISSION…` is `grade run SUBMISSION…`. If a submission has the name of a command, write it with
/// its folder: `./show`.
#[derive(Debug, Parser)]
#[command(
    name = "grade",
    version,
    max_term_width = MAX_WIDTH,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = AFTER_HELP
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Seed of all random inputs, if none is named.
pub(crate) const DEFAULT_SEED: u64 = 1;

/// Most columns of help.
pub(crate) const MAX_WIDTH: usize = 100;

/// Exit codes and environment variables.
const AFTER_HELP: &str = "\
Exit codes:
   0  every submission has a grade, whatever the marks
   1  a grade is below what --require asks for, or an audit found a problem, or a diff a loss
   2  some submission has no grade, for a reason that is not the student's
  64  usage error

Environment:
  SOFTMARK_HOME    folder of the course [default: the nearest folder, from the current one upwards, that has
                   a softmark.toml]
  SOFTMARK_CACHE   folder of prebuilt libraries [default: softmark in XDG_CACHE_HOME or ~/.cache]
  SOFTMARK_SECRET  text that students do not know; the data of trainings are derived from it
                   [default: the text in the course's file softmark.secret, which is created if needed]
  NO_COLOR         no colors if it is set and not empty";

/// Problems that an audit reports.
const AFTER_AUDIT: &str = "\
Problems, which end with exit code 1:
  - a check that catches no mutant, or a mutant that no check catches
  - a mutant that fails other checks than its patch says, or gets another name
  - a solution or a variant that fails a check, or whose error is more than a tenth of a tolerance
  - code that computes nothing and passes a check
  - a verdict that changes with the seed
  - recorded answers of a mutant that are not those which it gives
Redundant checks, and mutants that only one check catches, are reported, and are not problems.";

/// Content of a release.
const AFTER_RELEASE: &str = "\
A released folder builds anywhere, with `cargo test`. It holds the handout, the skeleton, the specification,
the public checks and the crates that they are built from. Nothing is written if a file in it names a hidden
check or has a line of the solution.";

/// Storage of marks.
const AFTER_MARK: &str = "\
Marks are kept in the ledger; the last mark of an answer counts. You may also mark a class in a
spreadsheet: marks.csv in the folder of results, in the columns submission, question, points and
comment. Its lines count where the ledger has no mark of the answer, or if their given_at is later.
`grade mark` without arguments copies the marks into the records and the gradebook.
Marks are not part of the graded points, and grading again does not change them. An answer that has
changed since it was marked needs marking again.";

/// Effect of overrides.
const AFTER_OVERRIDE: &str = "\
An override is kept in the ledger and holds until it is withdrawn: grading again does not change
it, also of other files of the student. Every report shows it with its reason. What the grader
decided stays in the ledger; `grade log NAME` shows both.";

/// Extent of a regrade.
const AFTER_REGRADE: &str = "\
The results of a check are reused as long as the submission's files, the code that the check can
run, the rules of the assignment, the compiler, the libraries, the seed, the secret and the
isolation are what they were. Other points or titles run nothing. `--check` and `--mistake` run
what they name again in any case. Each assignment gets a new run in the ledger with complete
records; overrides hold. `grade run` reuses results in the same way.";

/// Meaning of the results that are compared.
const AFTER_DIFF: &str = "\
RESULTS is the number of a run (`grade log` lists them), `latest`, `previous`, or another folder
of results. The results of a run are those of all submissions after it: a run of one submission
leaves the others as they were. Overrides that hold today count on both sides.";

/// Content and names of feedback.
const AFTER_FEEDBACK: &str = "\
A page shows the points, what to look at first, public checks with their evidence, hidden checks
by title and result, the pages of recognised mistakes, and comments on written answers. Pages of
submissions from Canvas and Moodle have names that these platforms take back.";

/// Meaning of the figures of similarity.
const AFTER_SIMILAR: &str = "\
Compared are the files that the assignment asks for, without what the skeleton gives and what more
than a quarter of the class (and more than four of it) wrote alike. Names, literals, comments,
layout and the order of functions make no difference. Reported are pairs with a share of 40 % and
100 tokens, or with one passage of 100 tokens.
A figure is a reason to read both submissions, not a verdict.";

/// Access to the pages.
const AFTER_SERVE: &str = "\
The server prints an address with a token, with which one is the owner. With `--users` people log in with
name and password instead. Whoever can reach the address and has neither sees nothing.
The server speaks plain HTTP: for other machines, put a proxy with HTTPS before it.";

/// Command; `run` if none is given.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Grade submissions.
    #[command(after_help = AFTER_HELP)]
    Run(RunArgs),
    /// Grade a chunk of a run; job engines start this.
    Chunk(ChunkArgs),
    /// Go on with a run whose jobs were left alone.
    Attach(AttachArgs),
    /// Package an assignment for a platform that grades by itself.
    #[command(subcommand)]
    Package(PackageCommand),
    /// Grade the submission in Gradescope's container; the archive of `package gradescope` starts this.
    Autograde(AutogradeArgs),
    /// Show the record of a submission that has been graded.
    Show(ShowArgs),
    /// Mark a written answer, or list the answers that need marking.
    #[command(after_help = AFTER_MARK)]
    Mark(MarkArgs),
    /// Decide the points of a check in place of the grader, or list such decisions.
    #[command(after_help = AFTER_OVERRIDE)]
    Override(OverrideArgs),
    /// Keep a student's question about a grade, and the answers.
    #[command(subcommand)]
    Appeal(AppealCommand),
    /// Grade submissions again that have been graded: run only what can have changed.
    #[command(after_help = AFTER_REGRADE)]
    Regrade(RegradeArgs),
    /// Show every mark of a submission and what changed, or list all runs.
    Log(LogArgs),
    /// Compare two runs: who moved, by how much, by which check, and why.
    #[command(after_help = AFTER_DIFF)]
    Diff(DiffArgs),
    /// Show what the results of a class say about the checks of an assignment.
    Stats(StatsArgs),
    /// Write a page for each student.
    #[command(after_help = AFTER_FEEDBACK)]
    Feedback(FeedbackArgs),
    /// Report pairs of submissions that agree beyond the skeleton and beyond what the class shares.
    #[command(after_help = AFTER_SIMILAR)]
    Similar(SimilarArgs),
    /// Serve pages for marking, reviewing and grading.
    #[command(after_help = AFTER_SERVE)]
    Serve(ServeArgs),
    /// Explain a mistake, or list all known mistakes.
    Explain(ExplainArgs),
    /// Measure how often correct work misses an accuracy threshold, and how often mistakes reach it.
    Calibrate(CalibrateArgs),
    /// Test the checks of an assignment: which mistakes each catches, and the tolerance headroom of correct
    /// work.
    #[command(after_help = AFTER_AUDIT)]
    Audit(AuditArgs),
    /// Check that this machine can grade, and those of a job engine.
    Doctor(DoctorArgs),
    /// Check the dates and policies of a course, or fill a gradebook.
    #[command(subcommand)]
    Course(CourseCommand),
    /// Make a course, or an assignment in a course.
    #[command(subcommand)]
    New(NewCommand),
    /// Write the folders of assignments that students get.
    #[command(after_help = AFTER_RELEASE)]
    Release(ReleaseArgs),
    /// Print the completions of commands and options for a shell.
    Completions(CompletionsArgs),
    /// Write manual pages.
    Man(ManArgs),
}

/// Arguments of `grade completions`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// Shell that reads them.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Arguments of `grade man`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ManArgs {
    /// Folder to write into, such as ~/.local/share/man/man1.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Arguments of `grade run`.
#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// A folder that holds `src/`, a .zip, .tar or .tar.gz of one, or a folder or an archive of
    /// these.
    #[arg(required = true, value_name = "SUBMISSION")]
    pub(crate) submissions: Vec<PathBuf>,

    /// Assignment id [default: the one that each submission's Cargo.toml names].
    #[arg(long, value_name = "ID")]
    pub(crate) assignment: Option<String>,

    /// Pattern of submission names: `canvas`, `moodle`, `gradescope`, `nbgrader`, `plain`, or a
    /// regular expression with the groups `id`, `name`, `time`, `late`, `file` and `attempt`
    /// [default: the platform that all names of a folder fit, or plain].
    #[arg(long, value_name = "PRESET|REGEX")]
    pub(crate) names: Option<String>,

    /// Folder for the results: `records/ID.json`, `gradebook.csv` (of all records there) and `softmark.db`
    /// [default: results; with --only, nothing is stored unless this is given].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Format of the standard output.
    #[arg(long, default_value = "terminal", value_parser = format_parser())]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) audience: AudienceArgs,

    /// Number of submissions to grade at the same time [default: one for each processor].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Seed of all random inputs.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    /// Device: `cpu`, or `auto`, which is the CPU. Grading on a GPU (`cuda`, `cuda:N`) is not available yet.
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: String,

    /// Run only the checks whose ids match this pattern, such as `multi-head/*`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,

    /// Use no result of an earlier run.
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Fill a gradebook that `canvas`, `moodle`, `blackboard` or `gradescope` exported, as `grade course grades` does, and
    /// write it to the folder of the results: `ID.canvas.csv` with the points of the assignment ID. After `grade attach`,
    /// start the same command again: it fills it then.
    #[arg(long, value_name = "PLATFORM=FILE")]
    pub(crate) fill: Option<Fill>,

    /// Print how long compiling, linking, starting workers, checks, diagnosis and training took.
    #[arg(long)]
    pub(crate) timings: bool,

    /// End with exit code 1 if a grade is below this percentage.
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) require: Option<u8>,

    #[command(flatten)]
    pub(crate) engine: JobsArgs,
}

/// Options of `grade run` about isolation.
#[derive(Debug, ClapArgs)]
pub(crate) struct IsolationArgs {
    /// Isolate submissions at exactly this level: `full`, `bwrap` or `landlock` [default: the best one
    /// that this machine has; see `grade doctor`].
    #[arg(long, value_name = "LEVEL", value_parser = level_parser())]
    pub(crate) isolation: Option<Level>,

    /// Grade nothing unless submissions are isolated at this level or a better one.
    #[arg(long, value_name = "LEVEL", value_parser = level_parser())]
    #[arg(conflicts_with = "isolation")]
    pub(crate) require_isolation: Option<Level>,

    /// Let submissions read your files, write where you can, and use the network. Only for code that
    /// you would run yourself.
    #[arg(long, conflicts_with_all = ["isolation", "require_isolation"])]
    pub(crate) run_unsandboxed: bool,

    /// Isolate workers at this level, and compilers at the other one: for the grader's own tests of `strict`,
    /// at which nothing is compiled.
    #[arg(long, value_name = "LEVEL", value_parser = level_parser(), hide = true)]
    pub(crate) workers_at: Option<Level>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::exit::Exit;

    #[test]
    fn the_arguments_hold_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn help_tells_every_exit_code() {
        for exit in [Exit::Success, Exit::Unmet, Exit::NoGrade, Exit::Usage] {
            let code = format!("\n  {:>2}  ", exit.code());
            assert!(AFTER_HELP.contains(&code), "{exit:?}");
        }
    }

    #[test]
    fn a_bare_submission_is_run() {
        let args = |line: &[&str]| Args::try_parse_from([&["grade"], line].concat());
        for line in
            [&["amara", "--seed", "7"][..], &["--seed", "7", "amara"], &["./show", "--seed=7"]]
        {
            let parsed = args(line).unwrap();
            assert!(parsed.command.is_none(), "{line:?}");
            assert_eq!((parsed.run.seed, parsed.run.submissions.len()), (7, 1), "{line:?}");
        }
        let parsed = args(&["run", "show", "amara"]).unwrap();
        let Some(Command::Run(run)) = parsed.command else { panic!("{parsed:?}") };
        assert_eq!(run.submissions, [PathBuf::from("show"), PathBuf::from("amara")]);
        // What follows a submission is one.
        assert_eq!(args(&["amara", "show"]).unwrap().run.submissions.len(), 2);
        assert!(matches!(args(&["show", "amara"]).unwrap().command, Some(Command::Show(_))));
    }
}
