//! Plan of a training: what is trained, from which parameters, and on which examples.

use std::collections::BTreeMap;
use std::sync::Arc;

use softmark_checks::{Case, CheckError, Signature};
use softmark_common::examples::Examples;
use softmark_wire::{Construction, Recipe, Request, Tensor};

/// Initial values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Initial {
    /// One number for all elements.
    Constant(f32),
    /// Normal distribution with mean 0 and this standard deviation.
    Normal(f32),
    /// Uniform distribution from `-bound` to `bound`.
    Uniform(f32),
    /// Given values in row-major order, as many as the shape has elements.
    Given(Arc<[f32]>),
}

/// Training and test of a classifier: its parameters, examples and training recipe.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The names of the component, a classifier.
    pub signature: &'static Signature,
    /// Sizes of the component.
    pub config: Vec<(&'static str, usize)>,
    /// Shape and initial values of every parameter that the component may ask for.
    pub parameters: BTreeMap<String, (Vec<usize>, Initial)>,
    /// Parameters that have a row (along the first axis) for each id. If they were learned before
    /// the ids were permuted, their rows must be permuted too.
    pub rows_of_ids: Vec<String>,
    /// Parameters that have a row for each class, likewise.
    pub rows_of_classes: Vec<String>,
    /// Parameters that training must leave unchanged, bit for bit.
    pub frozen: Vec<String>,
    /// Training recipe, whose seed is replaced; `None` to measure the parameters as they are.
    pub recipe: Option<Recipe>,
    /// Examples to learn from; empty if nothing is trained.
    pub train: Examples,
    /// Unseen examples; their labels stay with the grader.
    pub unseen: Examples,
    /// Names of the classes.
    pub classes: &'static [&'static str],
    /// Number of ids.
    pub vocabulary: u32,
}

impl Plan {
    /// Returns the id of the component.
    pub fn part(&self) -> &'static str {
        self.signature.part
    }

    /// Returns the case that describes the plan in messages.
    pub fn case(&self) -> Case {
        let (n, m) = (self.train.len(), self.unseen.len());
        let label = match &self.recipe {
            Some(Recipe { epochs, batch_size, stopping_threshold, .. }) => {
                let most = if *stopping_threshold > 0.0 { "at most " } else { "" };
                format!(
                    "{n} examples to learn from, {most}{epochs} epochs in steps of {batch_size}; {m} unseen ones"
                )
            }
            None => format!("{m} unseen examples, and the parameters that were handed in"),
        };
        Case::new(self.signature, label)
    }

    /// Returns the request that makes the component with these parameters.
    pub fn construct(&self, parameters: Vec<(String, Tensor)>) -> Request {
        let size = |(name, value): &(&'static str, usize)| ((*name).to_owned(), *value as u64);
        Request::Construct(Construction {
            part: self.part().to_owned(),
            config: self.config.iter().map(size).collect(),
            parameters,
        })
    }
}

/// Returns the error for an inconsistent plan, which is never the student's fault.
pub(crate) fn inconsistent(reason: String) -> CheckError {
    CheckError::Inputs { check: "training".to_owned(), reason }
}
