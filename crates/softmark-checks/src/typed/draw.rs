//! Random values of inputs and parameters.

use softmark_common::rng::Stream;

use crate::array::Array;
use crate::mantissa;
use crate::typed::Tensor;

/// Draws the values of a question. Each name has a stream of its own, so that adding an input changes no other.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    seed: u64,
    data: u64,
    full: bool,
}

impl Draw {
    /// Returns a source of values for a seed and the number of a question.
    pub fn new(seed: u64, data: u64) -> Self {
        Self { seed, data, full: false }
    }

    /// Returns a source of values that need all bits of an `f32`, which no shorter format holds.
    #[must_use]
    pub fn full(self) -> Self {
        Self { full: true, ..self }
    }

    fn stream(&self, name: &str) -> Stream {
        Stream::derive(self.seed, name, self.data)
    }

    /// Draws numbers between −2 and 2, and never 0: a position of zeros would come up on some seeds only.
    pub fn numbers(&self, name: &str, shape: &[usize]) -> Tensor {
        let mut stream = self.stream(name);
        let array = if self.full {
            mantissa::between(shape, [-2.0, 2.0], &mut stream)
        } else {
            // Odd sixteenths, which are exact in `f32`.
            Array::from_fn(shape, |_| (2 * stream.below(32)) as f64 / 16.0 - 31.0 / 16.0)
        };
        Tensor::from(&array)
    }

    /// Draws weights between −1/2 and 1/2, so that sums over a few channels stay of the size of the inputs.
    pub fn weights(&self, name: &str, shape: &[usize]) -> Tensor {
        self.numbers(name, shape).map(|x| x / 4.0)
    }

    /// Draws scales between 1/2 and 3/2.
    pub fn scales(&self, name: &str, shape: &[usize]) -> Tensor {
        self.numbers(name, shape).map(|x| 1.0 + x / 4.0)
    }
}
