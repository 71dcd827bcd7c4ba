//! Responses to diagnostic cases, and how those of a submission are compared with those of a known mistake.

mod came;
mod matching;
mod reading;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use softmark_wire::{FailureKind, Fault};

use crate::array::Array;

pub use came::Came;
pub use matching::{same, with_masked_scores};
pub use reading::{Reading, open_cases};

/// Response of a submission or of an imitation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// Tensors by name.
    Outputs(BTreeMap<String, Array>),
    /// Gradients by name; `None` for a gradient that did not arrive.
    Gradients(BTreeMap<String, Option<Array>>),
    /// Tensors, one of which is not `f32`.
    OtherType,
    /// An error.
    Refused,
    /// A panic.
    Panicked,
    /// No response: the process ended, the code is a stub, or the reply was invalid.
    Nothing,
}

impl From<BTreeMap<&'static str, Array>> for Response {
    fn from(expected: BTreeMap<&'static str, Array>) -> Self {
        let named = expected.into_iter().map(|(name, array)| (name.to_owned(), array));
        Self::Outputs(named.collect())
    }
}

impl Response {
    /// True if the response consists of numbers, and is no error.
    pub fn is_numbers(&self) -> bool {
        matches!(self, Self::Outputs(_) | Self::Gradients(_) | Self::OtherType)
    }

    /// True if the response is an error or a panic.
    pub fn is_error(&self) -> bool {
        matches!(self, Self::Refused | Self::Panicked)
    }

    /// Returns a response with one output called `output`.
    pub fn output(output: Array) -> Self {
        Self::Outputs(BTreeMap::from([("output".to_owned(), output)]))
    }

    /// Returns a response with the two results of attention.
    pub fn attended(output: Array, weights: Array) -> Self {
        let named = [("output".to_owned(), output), ("weights".to_owned(), weights)];
        Self::Outputs(BTreeMap::from(named))
    }
}

impl From<&Fault> for Response {
    fn from(fault: &Fault) -> Self {
        match fault {
            Fault::Code(failure) => match failure.kind {
                FailureKind::Refused | FailureKind::Parameter => Self::Refused,
                FailureKind::Panicked => Self::Panicked,
                FailureKind::NotImplemented | FailureKind::Unsendable => Self::Nothing,
            },
            Fault::CpuTime { .. }
            | Fault::WallTime { .. }
            | Fault::OutOfMemory { .. }
            | Fault::NotStarted { .. }
            | Fault::Crowded { .. }
            | Fault::Killed { .. }
            | Fault::Exited { .. }
            | Fault::NotRun
            | Fault::Garbled(_) => Self::Nothing,
        }
    }
}
