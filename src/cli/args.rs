//! What can be typed.

use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand};
use softmark_sandbox::Level;

use crate::audit;
use crate::report::Format;

/// Grades submissions to transformer-building assignments.
///
/// `grade SUBMISSION…` is `grade run SUBMISSION…`. A submission that is called like one of the
/// commands is named with its folder: `./show`.
#[derive(Debug, Parser)]
#[command(
    name = "grade",
    version,
    max_term_width = 100,
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

/// The exit codes, and what is read from the environment.
const AFTER_HELP: &str = "\
Exit codes:
   0  every submission has a grade, whatever the marks
   1  a grade is below what --require asks for, or an audit has found a problem
   2  some submission has no grade, for a reason that is not the student's
  64  usage

Environment:
  SOFTMARK_HOME    the project's folder [default: the one that this program was built from]
  SOFTMARK_SECRET  a text that students do not know: what is trained and asked comes from it
                   [default: that in the project's file softmark.secret, which is made if need be]
  NO_COLOR         no colors, when it is set and not empty";

/// What an audit finds, in words.
const AFTER_AUDIT: &str = "\
Problems, which end with exit code 1:
  - a check that no mutant falls to, or a mutant that falls to nothing
  - a mutant that falls to other checks than its patch says, or is named otherwise
  - a solution or a variant that fails a check, or errs by more than a tenth of a tolerance
  - a verdict that is another one on another seed
Checks that are redundant and mutants that only one check catches are told, and are no problems.";

/// Where marks are kept, and that they may be typed there.
const AFTER_MARK: &str = "\
Marks are lines of marks.csv in the folder of results; of several for one answer the last one counts.
A class may be marked there in a spreadsheet too, in the columns submission, question, points and
comment: `grade mark` without arguments puts them into the records and the gradebook.
Marks are no part of the points that are graded, and grading again leaves them as they are. An
answer that is no longer the one that was marked is open again.";

/// A command; none is `run`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Grade submissions.
    #[command(after_help = AFTER_HELP)]
    Run(RunArgs),
    /// Show the record of a submission that has been graded.
    Show(ShowArgs),
    /// Give points for a written answer, or list those that are open.
    #[command(after_help = AFTER_MARK)]
    Mark(MarkArgs),
    /// Explain a mistake, or list all that are known.
    Explain(ExplainArgs),
    /// Measure how often right work misses a band of an assignment, and how often mistakes reach it.
    Calibrate(CalibrateArgs),
    /// Grade the checks of an assignment: which mistakes fall to which, and how near right work comes to
    /// falling.
    #[command(after_help = AFTER_AUDIT)]
    Audit(AuditArgs),
    /// Look whether this machine can grade.
    Doctor,
}

/// What is to be graded, and how.
#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// A folder that holds `src/`, a .zip, .tar or .tar.gz of one, or a folder or an archive of
    /// these.
    #[arg(required = true, value_name = "SUBMISSION")]
    pub(crate) submissions: Vec<PathBuf>,

    /// The assignment [default: the one that each submission's Cargo.toml names].
    #[arg(long, value_name = "ID")]
    pub(crate) assignment: Option<String>,

    /// What submissions are called: `canvas`, `moodle`, `gradescope`, `nbgrader`, `plain`, or a
    /// regular expression with the groups `id`, `name`, `time`, `late`, `file` and `attempt`
    /// [default: the platform that all names of a folder fit, or else plain].
    #[arg(long, value_name = "PRESET|REGEX")]
    pub(crate) names: Option<String>,

    /// Where the results are kept: `records/ID.json`, `gradebook.csv` (of all records there) and
    /// `softmark.db` [default: results; with --only, nothing is kept unless this is given].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// What goes to stdout.
    #[arg(long, default_value = "terminal", value_parser = format_parser())]
    pub(crate) format: Format,

    /// How many submissions to grade at the same time [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// The number that every random input comes from.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// Isolate submissions at exactly this level: `full`, `bwrap` or `landlock` [default: the best one
    /// that this machine has; `grade doctor` tells].
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

    /// Isolate workers at this level instead, however submissions are compiled: for the grader's own
    /// tests of `strict`, at which nothing is compiled.
    #[arg(long, value_name = "LEVEL", value_parser = level_parser(), hide = true)]
    pub(crate) workers_at: Option<Level>,

    /// Where to compute: `cpu`, `cuda`, `cuda:N` or `auto`.
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: String,

    /// Carry out only the checks whose ids this pattern fits, such as `multi-head/*`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,

    /// Grade again what has not changed since it was graded.
    #[arg(long)]
    pub(crate) fresh: bool,

    /// End with exit code 1 when a grade is below so many percent.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) require: Option<u8>,
}

/// Whose record is to be shown, and how.
#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// The submission's name.
    #[arg(value_name = "ID")]
    pub(crate) submission: String,

    /// Where the results are kept.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// What goes to stdout.
    #[arg(long, default_value = "terminal", value_parser = format_parser())]
    pub(crate) format: Format,
}

/// What is to be explained.
#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainArgs {
    /// The mistake, as a record names it.
    #[arg(value_name = "ID")]
    pub(crate) mistake: Option<String>,
}

/// What is to be trained, and how often.
#[derive(Debug, ClapArgs)]
pub(crate) struct CalibrateArgs {
    /// The assignment.
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) assignment: String,

    /// On how many seeds: of the data, the first parameters and every order.
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) seeds: NonZeroU16,

    /// The first seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Train only the variants whose names this pattern fits, such as `solution`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,

    /// Train all mutants, also those of which nothing is said: to see which mistakes show.
    #[arg(long)]
    pub(crate) all_mutants: bool,

    /// How many trainings at the same time [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Print a JSON document instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is given for which answer.
#[derive(Debug, ClapArgs)]
pub(crate) struct MarkArgs {
    /// Whose answer; without it, the answers that nobody has marked are listed.
    #[arg(value_name = "SUBMISSION", requires = "question")]
    pub(crate) submission: Option<String>,

    /// The question's id, such as `explanation`.
    #[arg(value_name = "QUESTION", requires = "points")]
    pub(crate) question: Option<String>,

    /// The points, such as 3.5.
    #[arg(value_name = "POINTS")]
    pub(crate) points: Option<f64>,

    /// Who gives them.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) by: String,

    /// What the student is told of it.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) comment: String,

    /// The folder of results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,
}

/// Whose checks are to be graded, and how.
#[derive(Debug, ClapArgs)]
pub(crate) struct AuditArgs {
    /// The assignment.
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) assignment: String,

    /// On how many seeds everything is asked, from seed 1 on.
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) seeds: NonZeroU16,

    /// Number of mutants and variants at the same time [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// What is written.
    #[arg(long, default_value = "terminal", value_parser = audit_parser())]
    pub(crate) format: audit::Format,

    /// Where it is written [default: to stdout].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Look only at the mutants and accepted variants whose names this pattern fits, such as `mask-*` or
    /// `solution`; what takes all of them to find is then not looked for.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,

    /// On seed 1 alone, and with so many mutants that each check has one: to be run often.
    #[arg(long, conflicts_with_all = ["only", "seeds"])]
    pub(crate) short: bool,

    /// Print every message that a student could get, as Markdown, and nothing else; of fixtures that
    /// compute nothing and of attacks as well.
    #[arg(long, conflicts_with = "format")]
    pub(crate) messages: bool,
}

/// Levels that isolate: the other one has an option of its own, which says what it does.
fn level_parser() -> impl TypedValueParser<Value = Level> {
    let levels = Level::ALL.into_iter().filter(|level| *level != Level::None);
    // `strict` is known, so that whoever asks for it is told why it cannot be had.
    let value = |level: Level| PossibleValue::new(level.as_str()).hide(level == Level::Strict);
    PossibleValuesParser::new(levels.map(value))
        .try_map(|name| Level::from_name(&name).ok_or("there is no such level"))
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::as_str))
        .try_map(|name| name.parse::<Format>())
}

fn audit_parser() -> impl TypedValueParser<Value = audit::Format> {
    PossibleValuesParser::new(audit::Format::ALL.map(audit::Format::as_str))
        .try_map(|name| name.parse::<audit::Format>())
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
