//! Outcome of a check, and its evidence.

use softmark_wire::{FailureKind, Fault};

use crate::array::Array;

/// The smallest failing case, with every number that the verdict depends on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// Sizes and switches of the case, such as `B=1 H=1 Tq=1 Tk=2 K=1`.
    pub case: Option<String>,
    /// Inputs as text, by name; only those that are small enough to read.
    pub inputs: Vec<(String, String)>,
    /// Name of the tensor in the answer that is compared.
    pub output: Option<String>,
    /// Index into that tensor.
    pub index: Option<Vec<usize>>,
    /// Value at that index in the answer.
    pub got: Option<f64>,
    /// Expected value at that index.
    pub expected: Option<f64>,
    /// Largest difference allowed between the two.
    pub allowed: Option<f64>,
    /// Both tensors, if they are small enough to read.
    pub compared: Option<Compared>,
}

/// Tensor of an answer, and the expected one of the same shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Shape of both.
    pub shape: Vec<usize>,
    /// Values of the answer, in row-major order.
    pub got: Vec<f64>,
    /// Expected values, in the same order.
    pub expected: Vec<f64>,
}

/// Largest number of values of a tensor that is kept as evidence: attention of eight tokens to eight. Two numbers of
/// nine digits for each take 1.5 kB in a record.
const MOST_COMPARED: usize = 64;

impl Compared {
    /// Returns both tensors if they have one shape with at least two and at most 64 values: a single one is in the evidence
    /// already.
    pub(crate) fn of(got: &Array, expected: &Array) -> Option<Self> {
        let is_small = (2..=MOST_COMPARED).contains(&got.values().len());
        (is_small && got.shape() == expected.shape()).then(|| Self {
            shape: got.shape().to_vec(),
            got: got.values().to_vec(),
            expected: expected.values().to_vec(),
        })
    }
}

/// Outcome of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The claim holds.
    Pass,
    /// The part gave a wrong answer.
    Wrong {
        /// Readable description of the case and of the answer.
        message: String,
        /// Case that shows the failure.
        evidence: Evidence,
    },
    /// The stub's `todo!()` was reached.
    NotImplemented {
        /// Message of the stub, such as `task 1`.
        message: String,
    },
    /// The part gave no answer, although it had to.
    Fault {
        /// Failure of the code.
        fault: Fault,
        /// Readable description of the case.
        message: String,
        /// Case that shows the failure.
        evidence: Evidence,
    },
    /// The check depends on another one that failed.
    Blocked {
        /// Id of the check that failed, or `build`.
        by: String,
        /// Explanation of the dependency.
        message: String,
    },
}

impl Outcome {
    /// Returns true if the check passed.
    pub fn is_pass(&self) -> bool {
        matches!(self, Self::Pass)
    }

    /// Creates the outcome for a fault of the part: "not implemented" if a stub was reached, otherwise a fault.
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

/// Returns the advice to the student on this kind of failure.
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
        Fault::NotRun => "Look for the detectors that do not end.",
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
    fn tensors_are_kept_if_they_are_small_enough_to_read_and_have_one_shape() {
        let array = |shape: &[usize]| Array::new(shape, vec![0.5; shape.iter().product()]);
        let kept = |got: &[usize], expected: &[usize]| Compared::of(&array(got), &array(expected));
        assert_eq!(kept(&[1, 8, 8], &[1, 8, 8]).unwrap().shape, [1, 8, 8]);
        assert_eq!(kept(&[2], &[2]).unwrap().got, [0.5, 0.5]);
        for (got, expected) in
            [([1, 1], [1, 1]), ([5, 13], [5, 13]), ([2, 3], [3, 2]), ([0, 2], [0, 2])]
        {
            assert_eq!(kept(&got, &expected), None, "{got:?} {expected:?}");
        }
    }

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
