//! Diagnostic cases, which distinguish mistakes, and responses to them.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};

use crate::check::{Cotangents, Expected};

/// Category of a diagnostic case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Ordinary sizes and numbers.
    Plain,
    /// Some positions are masked.
    Masked,
    /// All positions are masked for some query or text.
    Empty,
    /// Large or otherwise unusual numbers.
    Extreme,
    /// Inputs that are not contiguous in memory.
    Strided,
    /// Gradients.
    Gradient,
    /// Dropout.
    Dropout,
    /// Invalid inputs, which must be refused.
    Limit,
}

/// Diagnostic case with its category.
#[derive(Debug, Clone)]
pub struct Question {
    /// Category of the case.
    pub aspect: Aspect,
    /// Request to the component.
    pub case: Case,
    /// Weights of the outputs, if gradients are asked for.
    pub cotangents: Option<Cotangents>,
    /// Function that removes the arbitrary values of an output.
    pub meaningful: Meaningful,
}

/// Function that returns an output with zeros at positions where a right component may give any
/// number.
pub type Meaningful = fn(&Case, &Array) -> Array;

/// Returns an output unchanged, for cases in which all of its values have a meaning.
fn all_of_it(_: &Case, output: &Array) -> Array {
    output.clone()
}

impl Question {
    /// Constructs a case that asks for outputs, all of whose values have a meaning.
    pub fn new(aspect: Aspect, case: Case) -> Self {
        Self { aspect, case, cotangents: None, meaningful: all_of_it }
    }

    /// Constructs a case that asks for the gradients of outputs with these weights.
    pub fn gradients(case: Case, cotangents: Cotangents) -> Self {
        Self { cotangents: Some(cotangents), ..Self::new(Aspect::Gradient, case) }
    }

    /// Returns the outputs, with zeros where a right component may give any number.
    pub fn meaningful(&self, outputs: BTreeMap<String, Array>) -> BTreeMap<String, Array> {
        let each = outputs.into_iter();
        each.map(|(name, output)| (name, (self.meaningful)(&self.case, &output))).collect()
    }
}

/// Response of a submission or of an imitation.
#[derive(Debug, Clone, PartialEq)]
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

impl From<Expected> for Response {
    fn from(expected: Expected) -> Self {
        let named = expected.into_iter().map(|(name, array)| (name.to_owned(), array));
        Self::Outputs(named.collect())
    }
}

impl Response {
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
