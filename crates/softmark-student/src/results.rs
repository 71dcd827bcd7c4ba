//! Results of a run of the public checks.

use softmark_checks::{Check, Outcome, Task};

/// State of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The check passes.
    Right,
    /// The check fails.
    Wrong,
    /// The check has reached a stub.
    Unwritten,
}

impl State {
    /// Returns the state that an outcome means.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Pass => Self::Right,
            Outcome::NotImplemented { .. } => Self::Unwritten,
            Outcome::Wrong { .. } | Outcome::Fault { .. } | Outcome::Blocked { .. } => Self::Wrong,
        }
    }
}

/// Result of one check.
#[derive(Debug, Clone)]
pub(crate) struct CheckResult {
    /// The check.
    pub(crate) check: &'static Check,
    /// Points that it is worth; none if `assignment.toml` does not say.
    pub(crate) points: f64,
    /// Outcome.
    pub(crate) outcome: Outcome,
    /// Last lines of what the code printed.
    pub(crate) printed: Vec<String>,
}

impl CheckResult {
    /// Returns the state of the check.
    pub(crate) fn state(&self) -> State {
        State::of(&self.outcome)
    }
}

/// Known mistake that accounts for every response of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownMistake {
    /// Name, by which `--explain` shows its page.
    pub(crate) name: String,
    /// Summary of the mistake, in one sentence.
    pub(crate) summary: String,
}

/// Results of the checks of a task.
#[derive(Debug, Clone)]
pub(crate) struct TaskResults {
    /// The task.
    pub(crate) task: &'static Task,
    /// Results of the checks that ran.
    pub(crate) checks: Vec<CheckResult>,
    /// Known mistake in the code of the task.
    pub(crate) mistake: Option<KnownMistake>,
}

impl TaskResults {
    /// True if a check of the task does not pass.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.checks.iter().any(|it| it.state() != State::Right)
    }

    /// True if a check of the task fails.
    pub(crate) fn is_wrong(&self) -> bool {
        self.checks.iter().any(|it| it.state() == State::Wrong)
    }
}

/// Counts of the states, and points, of some checks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Tally {
    /// Checks that pass.
    pub(crate) right: usize,
    /// Checks that fail.
    pub(crate) wrong: usize,
    /// Checks that reached a stub.
    pub(crate) unwritten: usize,
    /// Points of the checks that pass.
    pub(crate) points: f64,
    /// Points of all checks.
    pub(crate) max_points: f64,
}

impl Tally {
    /// Counts the results.
    pub(crate) fn of(results: &[CheckResult]) -> Self {
        let mut tally = Self::default();
        for result in results {
            tally.max_points += result.points;
            match result.state() {
                State::Right => {
                    tally.right += 1;
                    tally.points += result.points;
                }
                State::Wrong => tally.wrong += 1,
                State::Unwritten => tally.unwritten += 1,
            }
        }
        tally
    }

    /// True if all checks pass.
    pub(crate) fn is_all_right(&self) -> bool {
        self.wrong + self.unwritten == 0
    }
}
