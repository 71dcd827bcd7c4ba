//! The content: what is asked of each assignment, what is right, and which mistakes are known.
//!
//! Invariant: holds no engine and does no I/O; a suite is checks, an oracle and a mistake bank.

mod agrees;
pub mod attention;

use std::collections::BTreeMap;

use softmark_checks::{Check, CheckError};
use softmark_wire::Session;

use crate::build::ProgramSpec;
use crate::model::Visibility;

pub use agrees::{Disagreement, agrees};

/// Which worker program a check asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// The submission alone.
    Own,
    /// The submission with the grader's own version of the parts below the one that is asked.
    WithReference,
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
}

/// A mistake that students make, as `grade explain` tells it.
#[derive(Debug, Clone, Copy)]
pub struct Mistake {
    /// `missing-scale` and so on.
    pub id: &'static str,
    /// The task in which it is made.
    pub task: &'static str,
    /// What we saw, why it is wrong, where to look; Markdown, and never the corrected line.
    pub page: &'static str,
}

/// The mistake that explains each failed check, by the check's id, where one does.
pub type Named = BTreeMap<&'static str, &'static str>;

/// Compares the answers of a submission's part with those of every known mistake.
pub type Diagnose =
    fn(task: &str, failed: &[&'static str], session: &mut dyn Session) -> Result<Named, CheckError>;

/// All that is asked of one assignment.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// The assignment's id.
    pub id: &'static str,
    /// In the order in which they are reported.
    pub checks: &'static [SuiteCheck],
    /// The worker programs, by which checks ask them.
    pub programs: fn() -> Vec<(Program, ProgramSpec)>,
    /// The program in which each task is diagnosed.
    pub diagnosed_in: fn(task: &str) -> Program,
    /// Finds the mistake behind failed checks.
    pub diagnose: Diagnose,
    /// The mistake bank.
    pub mistakes: fn() -> Vec<Mistake>,
}

/// Every suite, by assignment.
pub const SUITES: &[Suite] = &[attention::SUITE];

/// The suite of an assignment.
pub fn find(assignment: &str) -> Option<&'static Suite> {
    SUITES.iter().find(|suite| suite.id == assignment)
}

/// The mistake of that id, in whichever suite.
pub fn mistake(id: &str) -> Option<Mistake> {
    SUITES.iter().flat_map(|suite| (suite.mistakes)()).find(|mistake| mistake.id == id)
}
