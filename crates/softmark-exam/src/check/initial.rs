//! Initial values of a component's parameters.

use std::collections::BTreeMap;

use softmark_checks::CheckError;
use softmark_common::rng::Stream;
use softmark_wire::Tensor;

use crate::check::permutation::Permutation;
use crate::check::plan::{Initial, Plan, inconsistent};

/// Returns the initial parameters of a plan, in the secret order of ids and classes.
///
/// # Errors
///
/// Fails if the plan is inconsistent, which is an error of the grader.
pub(crate) fn first_parameters(
    plan: &Plan,
    blind: &Permutation,
    seed: u64,
) -> Result<Vec<(String, Tensor)>, CheckError> {
    let mut parameters = drawn(seed, &plan.parameters)?;
    blind.move_rows(plan, &mut parameters)?;
    Ok(parameters)
}

/// Draws the parameters, each from a random stream derived from its name.
fn drawn(
    seed: u64,
    shapes: &BTreeMap<String, (Vec<usize>, Initial)>,
) -> Result<Vec<(String, Tensor)>, CheckError> {
    let tensor = |(name, (shape, initial)): (&String, &(Vec<usize>, Initial))| {
        let values = values(initial, shape.iter().product(), &mut Stream::derive(seed, name, 0));
        let tensor = Tensor::f32(shape, values);
        Ok((name.clone(), tensor.map_err(|error| inconsistent(format!("{name}: {error}")))?))
    };
    shapes.iter().map(tensor).collect()
}

/// Returns the initial values of a parameter with `count` elements.
fn values(initial: &Initial, count: usize, stream: &mut Stream) -> Vec<f32> {
    match initial {
        Initial::Constant(value) => vec![*value; count],
        Initial::Normal(deviation) => (0..count).map(|_| normal(stream) * deviation).collect(),
        Initial::Uniform(bound) => {
            (0..count).map(|_| (2.0 * stream.uniform() - 1.0) * bound).collect()
        }
        Initial::Given(values) => values.to_vec(),
    }
}

/// Draws a number that is close to normal: a sum of twelve uniform numbers minus six has mean 0 and
/// variance 1. It needs only exact sums, so that it is the same on every machine.
fn normal(stream: &mut Stream) -> f32 {
    let sum: f32 = (0..12).map(|_| stream.uniform()).sum();
    sum - 6.0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use softmark_checks::Array;

    use super::*;

    fn drawn_with(seed: u64) -> Vec<(String, Tensor)> {
        let shapes = BTreeMap::from([
            ("a.weight".to_owned(), (vec![2, 3], Initial::Uniform(0.5))),
            ("b.bias".to_owned(), (vec![3], Initial::Constant(1.0))),
        ]);
        drawn(seed, &shapes).unwrap()
    }

    #[test]
    fn parameters_are_drawn_by_name() {
        assert_eq!(drawn_with(1), drawn_with(1));
        assert_ne!(drawn_with(1)[0], drawn_with(2)[0]);
        assert_eq!(drawn_with(1)[1], drawn_with(2)[1]);
        let uniform = Array::from_tensor(&drawn_with(1)[0].1);
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
