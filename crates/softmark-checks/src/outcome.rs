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

    /// A fault where an answer was due, or "not implemented" where the fault is a stub.
    pub fn from_fault(fault: Fault, evidence: Evidence) -> Self {
        if let Fault::Code(failure) = &fault
            && failure.kind == FailureKind::NotImplemented
        {
            return Self::NotImplemented { message: failure.message.clone() };
        }
        let message = format!("An answer was due, but the code {fault}. {}", look_at(&fault));
        let message = message.trim_end().to_owned();
        Self::Fault { fault, message, evidence }
    }
}

/// True if an error message, most likely one of candle's, is about shapes.
fn is_about_shapes(message: &str) -> bool {
    let message = message.to_lowercase();
    ["shape", "dim", "rank", "broadcast", "narrow", "index"].iter().any(|it| message.contains(it))
}

/// True if an error message, most likely one of candle's, is about the layout in memory.
fn is_about_memory(message: &str) -> bool {
    let message = message.to_lowercase();
    ["contiguous", "strid"].iter().any(|it| message.contains(it))
}

/// Where to look for what makes code fail in this way.
fn look_at(fault: &Fault) -> &'static str {
    match fault {
        Fault::Code(failure) => match failure.kind {
            FailureKind::Panicked if failure.place.is_empty() => {
                "The line is not known: look for a call of `std::panic::set_hook` or `take_hook`."
            }
            FailureKind::Panicked => {
                "Look at that line: what does it take for granted that does not hold in this case?"
            }
            FailureKind::Refused if is_about_memory(&failure.message) => {
                "Look at which operation says so: it needs a tensor that is contiguous in memory, and is \
                 handed a view."
            }
            FailureKind::Refused if is_about_shapes(&failure.message) => {
                "Look at which operation says so, and at the shapes that reach it in this case."
            }
            FailureKind::Refused => {
                "Look at where your code returns this error, and why in this case."
            }
            FailureKind::NotImplemented | FailureKind::Parameter | FailureKind::Unsendable => {
                "Look at the documentation of the trait."
            }
        },
        Fault::CpuTime { .. } => {
            "Look for a loop that does not end in this case; everything asked here takes an honest \
             solution milliseconds."
        }
        Fault::WallTime { .. } => "Look for something that waits or sleeps.",
        Fault::OutOfMemory { .. } => {
            "Look for something that grows in a loop, and for a size that is computed wrongly."
        }
        Fault::NotStarted { .. } => {
            "Look for statics and thread-local variables that are large: they take memory before \
             anything is asked."
        }
        Fault::Crowded { .. } => "Look for threads that are started in a loop.",
        Fault::Killed { .. } => {
            "Look for a size that is computed wrongly, and for a function that calls itself without \
             end."
        }
        Fault::Exited { .. } => "Look for a call that ends the program.",
        Fault::Garbled(detail) => look_at_garbled(detail),
    }
}

/// Hint at the cause of an answer of another kind than was asked for; empty if the description already says
/// everything.
fn look_at_garbled(detail: &str) -> &'static str {
    if detail.contains("printed more than") {
        "Look for what is printed in a loop."
    } else if detail.contains("more experiments") {
        "Look for an experiment in a loop that does not end."
    } else if detail.starts_with("an answer without `") || detail.starts_with("a gradient of") {
        // The answer came from the part, and its outputs are what is wrong with it.
        ""
    } else {
        "Look for code that writes to files or descriptors that are not its own."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_another_kind_gets_a_hint_that_fits() {
        let of = |detail: &str| {
            let fault = Fault::Garbled(detail.to_owned());
            let outcome = Outcome::from_fault(fault, Evidence::default());
            let Outcome::Fault { message, .. } = outcome else { panic!("{outcome:?}") };
            message
        };
        let descriptors = "Look for code that writes to files or descriptors that are not its own.";
        for (detail, hint) in [
            ("it printed more than 64 MiB", "Look for what is printed in a loop."),
            ("more experiments than a detector may make", "Look for an experiment in a loop"),
            ("another kind of answer than `forward` asks for", descriptors),
        ] {
            assert!(of(detail).contains(hint), "{}", of(detail));
        }
        let without = of("an answer without `weights`");
        assert!(without.ends_with("an answer without `weights`."), "{without}");
    }
}
