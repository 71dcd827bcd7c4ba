//! Problems that an audit reports.

use std::fmt;

use crate::audit::matrix::{Verdict, factor};
use crate::diagnose::RecordingState;

/// A problem of the checks, the mutants, the accepted variants or idle code.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// A check that catches no mutant.
    CatchesNothing {
        /// Id of the check.
        check: String,
    },
    /// A mutant that no check catches.
    Survives {
        /// Name of the mutant.
        mutant: String,
        /// Seeds on which it survives.
        seeds: Vec<u64>,
    },
    /// A mutant that is not caught by the checks that should catch it.
    Passes {
        /// Name of the mutant.
        mutant: String,
        /// Ids of the checks.
        checks: Vec<String>,
    },
    /// A mutant that is caught by checks that should not catch it.
    FailsOthers {
        /// Name of the mutant.
        mutant: String,
        /// Ids of the checks.
        checks: Vec<String>,
    },
    /// A mutant that is named falsely.
    Misnamed {
        /// Name of the mutant.
        mutant: String,
        /// Mistake that should be named; `None` if none should be.
        mistake: Option<String>,
        /// Mistake that is named.
        named: String,
        /// Ids of the checks that name it.
        checks: Vec<String>,
    },
    /// A mutant that is not named.
    Unnamed {
        /// Name of the mutant.
        mutant: String,
        /// Mistake that should be named.
        mistake: String,
        /// Ids of the checks that should name it.
        checks: Vec<String>,
        /// The questions that keep it from being named, where the mistake is named by no check.
        against: Vec<String>,
    },
    /// A mutant in which students' own checks recognise another mistake.
    Misrecognised {
        /// Name of the mutant.
        mutant: String,
        /// Mistake that is recognised.
        recognised: String,
    },
    /// A mutant whose recorded answers are not up to date.
    Recording {
        /// Name of the mutant.
        mutant: String,
        /// Id of the assignment.
        assignment: String,
        /// State of the recorded answers.
        state: RecordingState,
    },
    /// Correct work that fails a check.
    Fails {
        /// Name of the solution or accepted variant.
        right: String,
        /// Id of the check.
        check: String,
        /// Seeds on which it fails.
        seeds: Vec<u64>,
        /// Failure message on the first of the seeds.
        message: String,
    },
    /// Correct work that nearly fails a check.
    Near {
        /// Name of the solution or accepted variant.
        right: String,
        /// Id of the check.
        check: String,
        /// Seed on which the error was largest.
        seed: u64,
        /// Share of the tolerance that the error used.
        share: f64,
    },
    /// Code that computes nothing and passes a check.
    Earns {
        /// Name of the folder of the code.
        idle: String,
        /// Id of the check.
        check: String,
        /// Seeds on which it passes.
        seeds: Vec<u64>,
    },
    /// A verdict that depends on the seed.
    Moves {
        /// Name of the mutant.
        mutant: String,
        /// Id of the check.
        check: String,
        /// Verdict on each seed.
        verdicts: Vec<(u64, Verdict)>,
    },
}

impl Problem {
    /// Returns the name of the problem's kind in documents.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::CatchesNothing { .. } => "catches-nothing",
            Self::Survives { .. } => "survives",
            Self::Passes { .. } => "passes",
            Self::FailsOthers { .. } => "fails-others",
            Self::Misnamed { .. } => "misnamed",
            Self::Unnamed { .. } => "unnamed",
            Self::Misrecognised { .. } => "misrecognised",
            Self::Recording { .. } => "recording",
            Self::Fails { .. } => "fails",
            Self::Near { .. } => "near",
            Self::Earns { .. } => "earns",
            Self::Moves { .. } => "moves",
        }
    }

    /// Returns the mutant, solution, accepted variant or idle code that the problem concerns.
    pub fn fixture(&self) -> Option<&str> {
        match self {
            Self::CatchesNothing { .. } => None,
            Self::Survives { mutant, .. }
            | Self::Passes { mutant, .. }
            | Self::FailsOthers { mutant, .. }
            | Self::Misnamed { mutant, .. }
            | Self::Unnamed { mutant, .. }
            | Self::Misrecognised { mutant, .. }
            | Self::Recording { mutant, .. }
            | Self::Moves { mutant, .. } => Some(mutant),
            Self::Fails { right, .. } | Self::Near { right, .. } => Some(right),
            Self::Earns { idle, .. } => Some(idle),
        }
    }

    /// Returns the checks that the problem concerns.
    pub fn checks(&self) -> &[String] {
        match self {
            Self::Survives { .. } | Self::Misrecognised { .. } | Self::Recording { .. } => &[],
            Self::CatchesNothing { check }
            | Self::Fails { check, .. }
            | Self::Near { check, .. }
            | Self::Earns { check, .. }
            | Self::Moves { check, .. } => std::slice::from_ref(check),
            Self::Passes { checks, .. }
            | Self::FailsOthers { checks, .. }
            | Self::Misnamed { checks, .. }
            | Self::Unnamed { checks, .. } => checks,
        }
    }

    /// Returns advice on problems of this kind.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::CatchesNothing { .. } => {
                "Add a mutant that fails it, or remove the check: a check that cannot fail proves nothing."
            }
            Self::Survives { .. } => "Add a check that catches it.",
            Self::Passes { .. } | Self::FailsOthers { .. } => {
                "Either the check has changed what it asks, or the header of the mutant's patch is out of date."
            }
            Self::Misnamed { .. } | Self::Unnamed { .. } => {
                "Look at the mistake's imitation or recorded answers, and at the questions of the battery for its task."
            }
            Self::Misrecognised { .. } => {
                "Add a diagnostic case without gradients in which the two differ: students get no others."
            }
            Self::Recording { .. } => {
                "The files are compiled into the grader, so build it again once they are renewed."
            }
            Self::Fails { .. } => {
                "It is right, so the check is wrong: look at what the check takes for granted."
            }
            Self::Near { .. } => {
                "Derive the tolerance anew: a student's rounding may be some times as large as this."
            }
            Self::Earns { .. } => {
                "Ask in the check for a result that only code which computes something gives."
            }
            Self::Moves { .. } => {
                "Ask more cases, or cases that show the mistake always: marks must not depend on the seed."
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CatchesNothing { check } => write!(f, "{check} catches no mutant"),
            Self::Survives { mutant, seeds } => {
                write!(f, "the mutant {mutant} survives on {}", on(seeds))
            }
            Self::Passes { mutant, checks } => {
                write!(f, "the mutant {mutant} should fail {}, and does not", checks.join(", "))
            }
            Self::FailsOthers { mutant, checks } => {
                write!(f, "the mutant {mutant} fails {}, and should not", checks.join(", "))
            }
            Self::Misnamed { mutant, mistake, named, checks } => {
                let by = checks.join(", ");
                let mistake = mistake.as_deref().unwrap_or("nothing");
                write!(f, "the mutant {mutant} is named {named} instead of {mistake} by {by}")
            }
            Self::Unnamed { mutant, mistake, checks, against } => {
                let by = checks.join(", ");
                write!(
                    f,
                    "the mutant {mutant} is not named by {by}, and should be named {mistake}"
                )?;
                for question in against {
                    write!(f, "; {question}")?;
                }
                Ok(())
            }
            Self::Misrecognised { mutant, recognised } => {
                write!(f, "students' own checks take the mutant {mutant} for {recognised}")
            }
            Self::Recording { mutant, assignment, state } => {
                write_recording(f, mutant, state)?;
                write!(f, "; run `grade audit {assignment} --record` to renew them")
            }
            Self::Fails { right, check, seeds, message } => {
                write!(f, "{right} is right, and fails {check} on {}: {message}", on(seeds))
            }
            Self::Near { right, check, seed, share } => {
                let factor = factor(*share);
                write!(f, "{right} comes within {factor} of a tolerance of {check}, on seed {seed}")
            }
            Self::Earns { idle, check, seeds } => {
                write!(f, "the code {idle} computes nothing, and passes {check} on {}", on(seeds))
            }
            Self::Moves { mutant, check, verdicts } => {
                let moves = moves(verdicts);
                write!(f, "{check} changes its verdict on the mutant {mutant}, which {moves}")
            }
        }
    }
}

/// Writes the reason why recorded answers are not up to date.
fn write_recording(
    f: &mut fmt::Formatter<'_>,
    mutant: &str,
    state: &RecordingState,
) -> fmt::Result {
    write!(f, "the recorded answers of the mutant {mutant} ")?;
    match state {
        RecordingState::Current => write!(f, "are up to date"),
        RecordingState::Invalid(problem) => write!(f, "cannot be read: {problem}"),
        RecordingState::Stale => {
            write!(f, "belong to other diagnostic cases than those of its task, and name nothing")
        }
        RecordingState::Outdated(cases) => {
            let cases: Vec<String> = cases.iter().map(usize::to_string).collect();
            write!(f, "differ from what it answers in diagnostic cases {}", cases.join(", "))
        }
    }
}

/// Returns the verdicts in words, such as `fails on seeds 1, 2 and passes on seed 3`.
fn moves(verdicts: &[(u64, Verdict)]) -> String {
    let kinds =
        [(Verdict::Fails, "fails"), (Verdict::Passes, "passes"), (Verdict::Blocked, "is blocked")];
    let told = kinds.iter().filter_map(|(kind, words)| {
        let those = verdicts.iter().filter(|(_, it)| it == kind);
        let seeds: Vec<u64> = those.map(|(seed, _)| *seed).collect();
        (!seeds.is_empty()).then(|| format!("{words} on {}", on(&seeds)))
    });
    told.collect::<Vec<_>>().join(" and ")
}

/// Returns the seeds in words; if there are many, only the first few.
fn on(seeds: &[u64]) -> String {
    const MOST: usize = 5;
    let shown: Vec<String> = seeds.iter().take(MOST).map(u64::to_string).collect();
    let shown = shown.join(", ");
    match seeds.len() {
        1 => format!("seed {shown}"),
        n if n > MOST => format!("{n} seeds ({shown}, …)"),
        _ => format!("seeds {shown}"),
    }
}
