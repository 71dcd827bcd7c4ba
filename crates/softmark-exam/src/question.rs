//! Diagnostic cases, which distinguish mistakes.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};

use crate::check::Cotangents;

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
