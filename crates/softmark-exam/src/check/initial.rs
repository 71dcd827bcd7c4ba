//! Initial values of a component's parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use softmark_checks::CheckError;
use softmark_common::rng::Stream;
use softmark_wire::Tensor;

use crate::check::permutation::inconsistent;

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

/// Draws the parameters, each from a random stream derived from its name.
pub(crate) fn drawn(
    seed: u64,
    shapes: &BTreeMap<String, (Vec<usize>, Initial)>,
) -> Result<Vec<(String, Tensor)>, CheckError> {
    let tensor = |(name, (shape, initial)): (&String, &(Vec<usize>, Initial))| {
        let count = shape.iter().product();
        let mut stream = Stream::derive(seed, name, 0);
        let values: Vec<f32> = match initial {
            Initial::Constant(value) => vec![*value; count],
            // A sum of twelve uniform numbers minus six has mean 0 and variance 1, and is close
            // enough to normal. It needs only exact sums, so that it is the same on every machine.
            Initial::Normal(deviation) => (0..count)
                .map(|_| {
                    let sum: f32 = (0..12).map(|_| stream.uniform()).sum();
                    (sum - 6.0) * deviation
                })
                .collect(),
            Initial::Uniform(bound) => {
                (0..count).map(|_| (2.0 * stream.uniform() - 1.0) * bound).collect()
            }
            Initial::Given(values) => values.to_vec(),
        };
        let tensor =
            Tensor::f32(shape, values).map_err(|error| inconsistent(format!("{name}: {error}")))?;
        Ok((name.clone(), tensor))
    };
    shapes.iter().map(tensor).collect()
}

#[cfg(test)]
mod tests {
    use softmark_checks::Array;

    use super::*;

    fn values(seed: u64) -> Vec<(String, Tensor)> {
        let shapes = BTreeMap::from([
            ("a.weight".to_owned(), (vec![2, 3], Initial::Uniform(0.5))),
            ("b.bias".to_owned(), (vec![3], Initial::Constant(1.0))),
        ]);
        drawn(seed, &shapes).unwrap()
    }

    #[test]
    fn parameters_are_drawn_by_name() {
        assert_eq!(values(1), values(1));
        assert_ne!(values(1)[0], values(2)[0]);
        assert_eq!(values(1)[1], values(2)[1]);
        let uniform = Array::from_tensor(&values(1)[0].1);
        assert!(uniform.values().iter().all(|x| x.abs() <= 0.5), "{uniform:?}");
    }

    #[test]
    fn given_values_are_taken_as_they_are_or_not_at_all() {
        let given = |count: u16| {
            let values: Arc<[f32]> = (0..count).map(f32::from).collect();
            let shape = (vec![2, 3], Initial::Given(values));
            drawn(1, &BTreeMap::from([("a".to_owned(), shape)]))
        };
        let right = Tensor::f32(&[2, 3], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(given(6).unwrap(), [("a".to_owned(), right)]);
        for count in [0, 5, 7] {
            let problem = given(count).unwrap_err().to_string();
            assert!(problem.contains("a: "), "{problem}");
        }
    }
}
