//! Initial values of a model's parameters.

use std::collections::BTreeMap;

use crate::check::Initial;

/// Standard deviation of the rows of an embedding.
///
/// It is large enough that the model distinguishes words from the first step on.
const EMBEDDING: f32 = 0.3;

/// Names, shapes and initial values of parameters.
#[derive(Debug, Default)]
pub struct Initials(BTreeMap<String, (Vec<usize>, Initial)>);

impl Initials {
    fn add(&mut self, name: &str, suffix: &str, shape: &[usize], initial: Initial) {
        self.0.insert(format!("{name}.{suffix}"), (shape.to_vec(), initial));
    }

    /// Adds `weight` `[rows, width]` of an embedding.
    pub fn embedding(&mut self, name: &str, rows: usize, width: usize) {
        self.add(name, "weight", &[rows, width], Initial::Normal(EMBEDDING));
    }

    /// Adds `weight` `[to, from]` and `bias` `[to]` of a linear map, uniform from `-1/√from` to
    /// `1/√from`, like PyTorch.
    pub fn linear(&mut self, name: &str, from: usize, to: usize) {
        let bound = Initial::Uniform(1.0 / (from as f32).sqrt());
        self.add(name, "weight", &[to, from], bound.clone());
        self.add(name, "bias", &[to], bound);
    }

    /// Adds `weight` `[to, from]` of a linear map without a bias, as of [`linear`](Self::linear).
    pub fn linear_no_bias(&mut self, name: &str, from: usize, to: usize) {
        self.add(name, "weight", &[to, from], Initial::Uniform(1.0 / (from as f32).sqrt()));
    }

    /// Adds `weight` `[width]` of an RMS norm: ones.
    pub fn scale(&mut self, name: &str, width: usize) {
        self.add(name, "weight", &[width], Initial::Constant(1.0));
    }

    /// Adds `weight` and `bias` of a layer norm: ones and zeros.
    pub fn norm(&mut self, name: &str, width: usize) {
        self.add(name, "weight", &[width], Initial::Constant(1.0));
        self.add(name, "bias", &[width], Initial::Constant(0.0));
    }

    /// Returns all parameters.
    pub fn into_all(self) -> BTreeMap<String, (Vec<usize>, Initial)> {
        self.0
    }
}
