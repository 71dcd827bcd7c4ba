//! Types of an exam: what an assignment consists of for the grader.

use std::collections::BTreeMap;

use softmark_checks::{Case, Check};

use crate::check::{Checkpoint, Plan};
use crate::failed_checks::FailedChecks;
use crate::sources::Sources;
use crate::{Aspect, ProgramSpec, Question, Recording, Response, Visibility};

/// Worker program that a check asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// The submission alone.
    Own,
    /// The component of this name alone, with the grader's own version of its dependencies.
    WithReference(&'static str),
    /// The grader's own components; the program contains nothing of the submission.
    Reference,
    /// No program: the check is about files with answers, which are not run.
    Answers,
}

/// Check with its visibility and its program.
#[derive(Debug, Clone, Copy)]
pub struct SuiteCheck {
    /// Title and function of the check.
    pub check: Check,
    /// Visibility to students.
    pub visibility: Visibility,
    /// Worker program that the check asks.
    pub program: Program,
    /// Categories of the diagnostic cases that the check is about.
    pub aspects: &'static [Aspect],
}

/// Function that computes the response of a component with a mistake, in `f64`.
pub type Imitate = fn(&Case) -> Response;

/// Function that returns true if no gradient of the output `from` arrives at the input or parameter
/// `to`.
pub type Cut = fn(case: &Case, from: &str, to: &str) -> bool;

/// Function that returns true if a switch of the config is on.
pub type Half = fn(&Case) -> bool;

/// Imitation of a component that makes two mistakes of its task at once, computed in `f64`.
pub struct Pair {
    /// Ids of the two mistakes.
    pub ids: [&'static str; 2],
    /// Function that computes the response of a component with both.
    pub imitate: Box<dyn Fn(&Case) -> Response + Send + Sync>,
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pair").field("ids", &self.ids).finish_non_exhaustive()
    }
}

/// Mistake that students make.
#[derive(Debug, Clone, Copy)]
pub struct Mistake {
    /// Mistake id, such as `missing-scale`.
    pub id: &'static str,
    /// Id of the task in which it is made.
    pub task: &'static str,
    /// Summary in one line for lists: a sentence without a full stop.
    pub summary: &'static str,
    /// Page about the mistake: the symptom, the reason why it is wrong, and a place to look at;
    /// Markdown, and never the corrected line.
    pub page: &'static str,
    /// Imitations of components with the mistake, one for each variant of it.
    pub imitations: &'static [Imitate],
    /// Alternative ways in which the mistake cuts the graph. Each imitation is also tried with the
    /// cuts of a right component ([`rests`](Suite::rests)).
    pub cuts: &'static [Cut],
    /// Recorded answers of mutants with the mistake, one for each variant of it. They are compared with a
    /// submission like imitations, but cuts do not apply to them, since a recorded gradient is a whole sum.
    pub recordings: &'static [Recording],
    /// Checks that the mistake fails by itself. Where a submission makes two mistakes, they tell which one is behind a check.
    pub fails: FailedChecks,
}

/// Returns the mistakes with the checks that they fail, from a table with a line `mistake: check check …` for each.
pub fn with_failed_checks(mistakes: Vec<Mistake>, table: &'static str) -> Vec<Mistake> {
    let lines = table.lines().filter_map(|line| line.split_once(": "));
    let fails: BTreeMap<&str, &'static str> = lines.collect();
    let of = |id: &str| fails.get(id).map_or(FailedChecks::UNKNOWN, |ids| FailedChecks::new(ids));
    mistakes.into_iter().map(|it| Mistake { fails: of(it.id), ..it }).collect()
}

/// Task with a training, which is graded by the accuracy on unseen examples.
///
/// Its checks are the bands of the `assignment.toml`; accuracies and their points are listed only
/// there.
#[derive(Debug, Clone, Copy)]
pub struct Training {
    /// Task id.
    pub task: &'static str,
    /// Name of the examples in messages, such as `questions`.
    pub examples: &'static str,
    /// Program with the submission's own components throughout.
    pub program: Program,
    /// Program with the grader's own versions of the dependencies. It is tried if the submission's
    /// own miss a band, so that a mistake there costs nothing here.
    pub with_reference: Option<Program>,
    /// Tasks whose components are trained: the accuracy does not count if one of them was not
    /// written.
    pub parts: &'static [&'static str],
    /// Tasks whose components `with_reference` replaces: one that was not written is not replaced.
    pub below: &'static [&'static str],
    /// Accuracy that the trained parameters must reach in the grader's own classifier
    /// ([`Program::Reference`]) for the submission's answers to count; `None` if that is not
    /// tested. Answers that do not come from the parameters were not learned.
    ///
    /// The value is low enough that a classifier which learns in spite of a mistake passes.
    pub least_learned: Option<f64>,
    /// Function from a seed, which all random choices come from, to the plan of the training.
    pub plan: fn(seed: u64) -> Plan,
    /// Meaning of reaching about this accuracy and no more, for messages; ascending.
    pub levels: &'static [(f64, &'static str)],
}

/// Level of a [`Training`] that reaches fewer right answers than guessing gives.
pub const WORSE_THAN_A_GUESS: (f64, &str) = (
    0.0,
    "That is far fewer than a guess gets right: what was learned comes out wrong. Look at which class each logit \
     stands for, and at what the numbers pass through on the way out.",
);

/// Task in which a trained model is handed in, which is graded by its accuracy on unseen examples.
/// The grader loads the checkpoint into its own architecture ([`Program::Reference`]), in which no
/// student's code sees a question, and trains nothing. The submission's own architecture must be
/// related to that one, which is tested with texts of random words.
///
/// Its bands are listed in `assignment.toml`, as those of a [`Training`] are. Calibration and audit
/// measure no checkpoint, because its accuracy was decided before it was handed in.
#[derive(Debug, Clone, Copy)]
pub struct Upload {
    /// Task id; all of its checks are bands.
    pub task: &'static str,
    /// Name of the checkpoint, one of the assignment's `[[upload]]`s.
    pub file: &'static str,
    /// Name of the examples in messages, such as `questions`.
    pub examples: &'static str,
    /// Program with the submission's own components throughout.
    pub program: Program,
    /// Function that returns the plan of the measurement, given the seed of the unseen examples and
    /// the checkpoint. The tensors of the checkpoint are `f32` and finite; nothing else has been
    /// validated. `Err` is the problem with the checkpoint, as the end of a sentence for the
    /// student: a tensor that is missing, unknown, or of another shape.
    ///
    /// The plan has no recipe.
    pub plan: fn(seed: u64, checkpoint: &Checkpoint) -> Result<Plan, String>,
    /// Meaning of reaching about this accuracy and no more, for messages; ascending.
    pub levels: &'static [(f64, &'static str)],
}

/// Task that is part of another assignment as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Borrowed {
    /// Id of that assignment.
    pub from: &'static str,
    /// Task id.
    pub task: &'static str,
    /// File in which the task is solved, as a path below `src/`.
    pub file: &'static str,
}

/// Everything that is asked in one assignment.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// Assignment id.
    pub id: &'static str,
    /// Checks in the order in which they are reported.
    pub checks: fn() -> Vec<SuiteCheck>,
    /// Worker programs of a submission, with the key by which checks ask them; [`Program::Reference`] is none of them.
    pub programs: fn() -> Vec<(Program, ProgramSpec)>,
    /// Worker program of the solution alone ([`Program::Reference`]), linked once for all submissions. It is also
    /// started if a submission's program does not start.
    pub reference: fn() -> ProgramSpec,
    /// Program in which each task is diagnosed.
    pub diagnosed_in: fn(task: &str) -> Program,
    /// Diagnostic cases, whose responses distinguish mistakes, by task.
    pub battery: fn(task: &str) -> Vec<Question>,
    /// Function that computes the expected response.
    pub truth: Imitate,
    /// Gradients that must not arrive even in a right component: those of frozen parameters.
    pub rests: Option<Cut>,
    /// Catalogue of known mistakes, the more specific ones first.
    pub mistakes: fn() -> Vec<Mistake>,
    /// Pairs of mistakes of a task whose combined response can be computed. Other pairs are
    /// distinguished only by cases in which one of the mistakes shows alone.
    pub pairs: fn(task: &str) -> Vec<Pair>,
    /// Switches of the config, by task: a mistake can be made only if one of them is on, or only if
    /// it is off.
    pub halves: fn(task: &str) -> &'static [Half],
    /// Tasks that are trained.
    pub trainings: &'static [Training],
    /// Tasks in which a trained model is handed in.
    pub uploads: &'static [Upload],
    /// Tasks that are part of another assignment as well, with the same checks and mistakes;
    /// accepted variants and mutants of that assignment are valid here too.
    pub borrows: &'static [Borrowed],
    /// Tasks from which a course may omit any checks.
    pub optional: &'static [&'static str],
    /// Digests of what the exam was compiled from: [`sources!()`](crate::sources!).
    pub sources: Sources,
}
