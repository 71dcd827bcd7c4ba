//! Validation of the parameters that a worker returns after training.

use softmark_checks::subject::fault;
use softmark_checks::{Case, Outcome, Stop};
use softmark_wire::{Data, Fault, Tensor};

use crate::check::plan::Plan;

/// A problem with parameters that were read back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadBackError {
    /// The parameters are not those that were handed in, which no trainer sends.
    Garbled(String),
    /// Training made a change that is not allowed.
    Wrong(String),
}

impl ReadBackError {
    /// Returns the verdict on the training of `case`.
    pub(crate) fn into_stop(self, case: &Case) -> Stop {
        match self {
            Self::Garbled(told) => fault(case, Fault::Garbled(told)),
            Self::Wrong(message) => Outcome::Wrong { message, evidence: case.evidence() }.into(),
        }
    }
}

/// Returns the parameters that were handed in, with the trained values for those that the component
/// asked for.
pub(crate) fn read_back(
    plan: &Plan,
    handed_in: Vec<(String, Tensor)>,
    came: Vec<(String, Tensor)>,
) -> Result<Vec<(String, Tensor)>, ReadBackError> {
    let mut all = handed_in;
    let mut last: Option<String> = None;
    for (name, tensor) in came {
        if last.as_ref().is_some_and(|last| *last >= name) {
            return Err(ReadBackError::Garbled(
                "parameters that are not in the order of names".to_owned(),
            ));
        }
        let Some((_, place)) = all.iter_mut().find(|(of, _)| *of == name) else {
            return Err(ReadBackError::Garbled("a parameter that was never handed in".to_owned()));
        };
        let (before, after) = match (place.data(), tensor.data()) {
            (Data::F32(before), Data::F32(after)) if place.shape() == tensor.shape() => {
                (before, after)
            }
            _ => {
                let told = format!("`{name}` with another shape or type than was handed in");
                return Err(ReadBackError::Garbled(told));
            }
        };
        if let Some(value) = after.iter().find(|x| !x.is_finite()) {
            let value = if value.is_nan() { "NaN" } else { "infinity" };
            return Err(ReadBackError::Wrong(format!(
                "After training, `{name}` holds {value}, so the model answers nothing any more. Look at what \
                 a loss or a gradient can come to that is no finite number: a logarithm or a quotient \
                 of 0, or a softmax of numbers that are infinite."
            )));
        }
        let same = before.iter().zip(after).all(|(x, y)| x.to_bits() == y.to_bits());
        if plan.frozen.contains(&name) && !same {
            return Err(ReadBackError::Wrong(format!(
                "`{name}` is frozen, and training changed it. Look at where the encoder is made, and at \
                 what says there which of its parameters learn."
            )));
        }
        *place = tensor;
        last = Some(name);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use softmark_common::examples::Examples;

    use softmark_checks::Signature;

    use super::*;

    static CLASSIFIER: Signature =
        Signature::new("classifier", &[&["d_model"]], &["ids", "mask"], &["logits"]);

    fn plan() -> Plan {
        Plan {
            signature: &CLASSIFIER,
            config: Vec::new(),
            parameters: BTreeMap::new(),
            rows_of_ids: Vec::new(),
            rows_of_classes: Vec::new(),
            frozen: vec!["b".to_owned()],
            recipe: None,
            train: Examples::default(),
            unseen: Examples::default(),
            classes: &[],
            vocabulary: 0,
        }
    }

    fn named(all: &[(&str, [f32; 2])]) -> Vec<(String, Tensor)> {
        let tensor = |(name, values): &(&str, [f32; 2])| {
            ((*name).to_owned(), Tensor::f32(&[2], values.to_vec()).unwrap())
        };
        all.iter().map(tensor).collect()
    }

    fn came(all: &[(&str, [f32; 2])]) -> Result<Vec<(String, Tensor)>, ReadBackError> {
        let given = named(&[("a", [1.0, 2.0]), ("b", [0.0, 4.0]), ("c", [5.0, 6.0])]);
        read_back(&plan(), given, named(all))
    }

    #[test]
    fn what_was_asked_for_takes_the_place_of_what_was_handed_in() {
        let trained = came(&[("a", [7.0, 8.0]), ("b", [0.0, 4.0])]).unwrap();
        assert_eq!(trained, named(&[("a", [7.0, 8.0]), ("b", [0.0, 4.0]), ("c", [5.0, 6.0])]));
        assert_eq!(came(&[]).unwrap().len(), 3);
    }

    #[test]
    fn a_frozen_parameter_is_the_same_bit_for_bit_or_named() {
        for changed in [[-0.0, 4.0], [0.0, 4.000_000_5]] {
            let Err(ReadBackError::Wrong(message)) = came(&[("b", changed)]) else {
                panic!("{changed:?}")
            };
            assert!(message.starts_with("`b` is frozen"), "{message}");
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_named() {
        for (value, told) in [(f32::NAN, "NaN"), (f32::NEG_INFINITY, "infinity")] {
            let Err(ReadBackError::Wrong(message)) = came(&[("c", [1.0, value])]) else { panic!() };
            assert!(message.contains(&format!("`c` holds {told}")), "{message}");
        }
    }

    #[test]
    fn other_names_shapes_types_and_repetitions_are_no_answer() {
        let garbled = |came: Result<_, ReadBackError>| {
            assert!(matches!(came, Err(ReadBackError::Garbled(_))));
        };
        garbled(came(&[("d", [1.0, 2.0])]));
        garbled(came(&[("a", [1.0, 2.0]), ("a", [1.0, 2.0])]));
        garbled(came(&[("c", [1.0, 2.0]), ("a", [1.0, 2.0])]));
        let other = |tensor| {
            read_back(&plan(), named(&[("a", [1.0, 2.0])]), vec![("a".to_owned(), tensor)])
        };
        garbled(other(Tensor::f32(&[1], vec![1.0]).unwrap()));
        garbled(other(Tensor::f32(&[2, 1], vec![1.0, 2.0]).unwrap()));
        garbled(other(Tensor::new(&[2], Data::F64(vec![1.0, 2.0])).unwrap()));
    }
}
