//! What comes of a check.

use softmark_wire::{FailureKind, Fault};

/// The smallest case that shows what is wrong, with every number that the verdict rests on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// The sizes and switches of the case, such as `B=1 H=1 Tq=1 Tk=2 K=1`.
    pub case: Option<String>,
    /// What was handed in, by name, as text; only where it is small enough to read.
    pub inputs: Vec<(String, String)>,
    /// Which of the answer's tensors is looked at.
    pub output: Option<String>,
    /// Where in that tensor.
    pub index: Option<Vec<usize>>,
    /// What came back there.
    pub got: Option<f64>,
    /// What was expected there.
    pub expected: Option<f64>,
    /// By how much the two may differ.
    pub allowed: Option<f64>,
}

/// What comes of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// All is as it should be.
    Pass,
    /// An answer was given and is not right.
    Wrong {
        /// What was asked and what came back, for a person.
        message: String,
        /// The case that shows it.
        evidence: Evidence,
    },
    /// The stub's `todo!()` was reached.
    NotImplemented {
        /// What the stub says, such as `task 1`.
        message: String,
    },
    /// No answer was given, though one was due.
    Fault {
        /// How the code failed.
        fault: Fault,
        /// What was asked, for a person.
        message: String,
        /// The case that shows it.
        evidence: Evidence,
    },
    /// Needs something that failed.
    Blocked {
        /// The id of the check that failed, or `build`.
        by: String,
        /// Why the one cannot be told without the other.
        message: String,
    },
}

impl Outcome {
    /// Whether the check is passed.
    pub fn is_pass(&self) -> bool {
        matches!(self, Self::Pass)
    }

    /// A fault during `asked`, or "not implemented" where the fault is a stub.
    pub fn from_fault(fault: Fault, asked: &str, evidence: Evidence) -> Self {
        if let Fault::Code(failure) = &fault
            && failure.kind == FailureKind::NotImplemented
        {
            return Self::NotImplemented { message: failure.message.clone() };
        }
        let message = format!("{asked}: the code {fault}");
        Self::Fault { fault, message, evidence }
    }
}
