//! The content: what is asked of each assignment, what is right, and which mistakes are known.
//!
//! Invariant: holds no engine and does no I/O; a suite is checks, an oracle and a mistake bank.

mod agrees;
pub mod attention;
mod cotangents;
pub mod debugging;
mod empty_text;
pub mod encoder;
mod examples;
mod formula;
mod gradient_tolerance;
mod initial;
mod noisy;
mod page;
mod pairs;
mod question;
mod rounding;
mod rubric;
pub mod tuning;

use softmark_checks::Check;
use softmark_kit::tuning::Saved;

use crate::build::ProgramSpec;
use crate::check::Plan;
use crate::model::Visibility;

pub use agrees::{Disagreement, agrees};
pub(crate) use question::all_of_it;
pub use question::{Aspect, Given, Meaningful, Question};

/// Which worker program a check asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// The submission alone.
    Own,
    /// The part of this name alone, with the grader's own version of the parts below it.
    WithReference(&'static str),
    /// The grader's own parts throughout: nothing of the submission is in it.
    Reference,
    /// None: what is asked about are files with answers, which nobody runs.
    Answers,
}

/// A check and where it runs.
#[derive(Debug, Clone, Copy)]
pub struct SuiteCheck {
    /// What is claimed and how it is put to the test.
    pub check: Check,
    /// Whether students can read it.
    pub visibility: Visibility,
    /// Which worker program it asks.
    pub program: Program,
    /// Which questions of the battery show what the check is about.
    pub aspects: &'static [Aspect],
}

/// What a part answers that makes a mistake, computed in `f64`.
pub type Imitate = fn(&softmark_checks::Case) -> Given;

/// Whether no gradient of the output `from` arrives at the input or parameter `to`.
pub type Cut = fn(case: &softmark_checks::Case, from: &str, to: &str) -> bool;

/// Function that returns true if a switch of the config is on.
pub type Half = fn(&softmark_checks::Case) -> bool;

/// The response of a part that makes two mistakes of its task at once, computed in `f64`.
pub struct Pair {
    /// The two mistakes.
    pub ids: [&'static str; 2],
    /// Returns the response of a part that makes both.
    pub imitate: Box<dyn Fn(&softmark_checks::Case) -> Given + Send + Sync>,
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pair").field("ids", &self.ids).finish_non_exhaustive()
    }
}

/// A mistake that students make.
#[derive(Debug, Clone, Copy)]
pub struct Mistake {
    /// `missing-scale` and so on.
    pub id: &'static str,
    /// The task in which it is made.
    pub task: &'static str,
    /// One line for lists, as a sentence without a full stop.
    pub summary: &'static str,
    /// What we saw, why it is wrong, where to look; Markdown, and never the corrected line.
    pub page: &'static str,
    /// What a part that makes it answers; several where it can be made in several ways.
    pub imitations: &'static [Imitate],
    /// Ways in which the graph may be cut instead; each imitation is tried as well with what
    /// [`rests`](Suite::rests) in a right part.
    pub cuts: &'static [Cut],
}

/// A task that is trained, and marked by how many unseen examples it then gets right.
///
/// Its checks are the bands of the `assignment.toml`: there, and nowhere else, stands what share of
/// right answers is worth what.
#[derive(Debug, Clone, Copy)]
pub struct Training {
    /// The task.
    pub task: &'static str,
    /// What is asked about, in a message: `questions`.
    pub examples: &'static str,
    /// The program with the submission's own parts throughout.
    pub program: Program,
    /// The program with the grader's own versions of the parts below; tried where the submission's
    /// own fall short, so that a mistake there costs nothing here.
    pub with_reference: Option<Program>,
    /// The tasks whose parts are trained: what is reached counts for nothing if one was not written.
    pub parts: &'static [&'static str],
    /// The tasks whose parts that program replaces: a part that was not written is not replaced.
    pub below: &'static [&'static str],
    /// The share of right answers that the trained parameters have to give in the grader's own classifier
    /// ([`Program::Reference`]) for those of the submission's classifier to count; `None` where that is not
    /// asked. Answers that do not come from the parameters were not learned.
    ///
    /// Little enough that a classifier with a mistake that learns all the same is not in doubt.
    pub least_learned: Option<f64>,
    /// What is trained, by the seed that all of it comes from.
    pub plan: fn(seed: u64) -> Plan,
    /// What it means to get no further than about that share: for messages, the lowest first.
    pub levels: &'static [(f64, &'static str)],
}

/// A task in which a trained model is handed in, and marked by how many unseen examples it gets right: the
/// grader puts the checkpoint into its own architecture ([`Program::Reference`]), in which no student's code
/// sees a question, and trains nothing. The submission's own architecture has to have something to do with
/// that, which texts of random words tell.
///
/// Its bands stand in `assignment.toml`, as those of a [`Training`] do. Calibration and audit measure no
/// checkpoint: what one reaches was decided before it was handed in.
#[derive(Debug, Clone, Copy)]
pub struct Upload {
    /// The task's id; all of its checks are bands.
    pub task: &'static str,
    /// The checkpoint's name, one of the assignment's `[[upload]]`s.
    pub file: &'static str,
    /// What is asked about, in a message: `questions`.
    pub examples: &'static str,
    /// The program with the submission's own parts throughout.
    pub program: Program,
    /// What is measured, by the seed that the unseen examples come from and by the checkpoint, whose
    /// tensors are `f32` and finite, and nothing else is known of them. `Err` is what is wrong with it, as
    /// the end of a sentence for the student: what is missing, not known, or of another shape.
    ///
    /// The plan has no recipe.
    pub plan: fn(seed: u64, saved: &Saved) -> Result<Plan, String>,
    /// What it means to get no further than about that share: for messages, the lowest first.
    pub levels: &'static [(f64, &'static str)],
}

/// A task that stands in another assignment as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Borrowed {
    /// That assignment.
    pub from: &'static str,
    /// The task.
    pub task: &'static str,
    /// The one file in which it is solved, by its name below `src/`.
    pub file: &'static str,
}

/// All that is asked of one assignment.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// The assignment's id.
    pub id: &'static str,
    /// In the order in which they are reported.
    pub checks: fn() -> Vec<SuiteCheck>,
    /// The worker programs, by which checks ask them.
    pub programs: fn() -> Vec<(Program, ProgramSpec)>,
    /// The program in which each task is diagnosed.
    pub diagnosed_in: fn(task: &str) -> Program,
    /// The questions whose answers tell mistakes apart, by task.
    pub battery: fn(task: &str) -> Vec<Question>,
    /// What is right.
    pub truth: Imitate,
    /// Where no gradient arrives even in a right part: at parameters that are to stay as they are.
    pub rests: Option<Cut>,
    /// The mistake bank, the more telling first.
    pub mistakes: fn() -> Vec<Mistake>,
    /// Pairs of mistakes of a task, by task, whose answers where both show are computed; two others are
    /// told apart only by questions in which one of them shows alone.
    pub pairs: fn(task: &str) -> Vec<Pair>,
    /// Switches of the config, by task: a mistake can be made where one of them is on, or off, and nowhere
    /// else.
    pub halves: fn(task: &str) -> &'static [Half],
    /// The tasks that are trained.
    pub trainings: &'static [Training],
    /// The tasks in which a trained model is handed in.
    pub uploads: &'static [Upload],
    /// Tasks that stand in another assignment as well, with the same checks and mistakes: what is known
    /// to be right or wrong there is so here.
    pub borrows: &'static [Borrowed],
    /// Tasks of whose checks a course may leave out any.
    pub optional: &'static [&'static str],
}

/// Every suite, by assignment.
pub const SUITES: &[Suite] = &[attention::SUITE, encoder::SUITE, debugging::SUITE, tuning::SUITE];

/// The suite of an assignment.
pub fn find(assignment: &str) -> Option<&'static Suite> {
    SUITES.iter().find(|suite| suite.id == assignment)
}

/// The mistake of that id, in whichever suite.
pub fn mistake(id: &str) -> Option<Mistake> {
    SUITES.iter().flat_map(|suite| (suite.mistakes)()).find(|mistake| mistake.id == id)
}
