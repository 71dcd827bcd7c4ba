//! The questions that tell mistakes apart, and what is given in answer to them.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};

use crate::check::Cotangents;

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Ordinary sizes and numbers.
    Plain,
    /// Something is hidden.
    Masked,
    /// Everything is hidden from someone.
    Empty,
    /// Large or otherwise unusual numbers.
    Extreme,
    /// Views that are not contiguous.
    Strided,
    /// The way back.
    Gradient,
    /// Dropout.
    Dropout,
    /// What has no answer and should be refused.
    Limit,
}

/// A question of the battery.
#[derive(Debug, Clone)]
pub struct Question {
    /// What it is about.
    pub aspect: Aspect,
    /// What is asked.
    pub case: Case,
    /// Where gradients are asked for: what each output is weighted with.
    pub cotangents: Option<Cotangents>,
    /// What of an output means something.
    pub meaningful: Meaningful,
}

/// An output of a part with zeros where a right part may give any number.
pub type Meaningful = fn(&Case, &Array) -> Array;

/// All of an output.
pub(crate) fn all_of_it(_: &Case, output: &Array) -> Array {
    output.clone()
}

impl Question {
    /// The outputs, with zeros where a right part may give any number.
    pub(crate) fn meaningful(&self, outputs: BTreeMap<String, Array>) -> BTreeMap<String, Array> {
        let each = outputs.into_iter();
        each.map(|(name, output)| (name, (self.meaningful)(&self.case, &output))).collect()
    }
}

/// What is given in answer, by a submission or by an imitation.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// Tensors by name.
    Outputs(BTreeMap<String, Array>),
    /// Gradients by name; `None` where none arrived.
    Gradients(BTreeMap<String, Option<Array>>),
    /// Tensors, one of which is not `f32`.
    OtherType,
    /// An error.
    Refused,
    /// A panic.
    Panicked,
    /// Nothing: the process ended, or the answer was none.
    Nothing,
}

impl Given {
    /// One output called `output`.
    pub fn output(output: Array) -> Self {
        Self::Outputs(BTreeMap::from([("output".to_owned(), output)]))
    }

    /// The two results of attention.
    pub fn attended(output: Array, weights: Array) -> Self {
        let named = [("output".to_owned(), output), ("weights".to_owned(), weights)];
        Self::Outputs(BTreeMap::from(named))
    }
}
