//! Test of whether two architectures with the same parameters compute the same function, on texts
//! of random words.

use std::collections::BTreeMap;

use softmark_checks::subject::fault;
use softmark_checks::{Answer, Array, CheckError, Stop};
use softmark_common::compare::F32_ROUNDING;
use softmark_common::data::vocabulary::UNKNOWN;
use softmark_common::rng::Stream;
use softmark_wire::{Attempt, Data, Reply, Request, Session, Tensor};

use crate::check::initial::first_parameters;
use crate::check::permutation::Permutation;
use crate::check::plan::{Plan, inconsistent};
use crate::check::training::{ask, garbled};

/// Number of texts, and number of texts in a batch.
const TEXTS: usize = 400;
const AT_ONCE: usize = 20;

/// Lengths of the texts, in turn: up to the length of a question.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=12;

/// Returns the length of the text with index `text`.
fn length(text: usize) -> usize {
    let count = LENGTHS.end() - LENGTHS.start() + 1;
    LENGTHS.start() + text % count
}

/// Number of times that the reference answers with parameters that are perturbed by a rounding.
const SHAKEN: u64 = 4;

/// Allowed difference of logits, as a multiple of their largest change under such perturbations.
///
/// Perturbing a weight by a unit in the last place changes a sum of products as the rounding of one
/// of its products does; norms, softmax and sums in another order add as many roundings again. The
/// largest change over all texts is about three standard deviations. Sixteen times that leaves room
/// for any accepted variant of the formula, and is still a thousandth of the effect of any mistake.
const MORE: f64 = 16.0;

/// Result of comparing the answers of both architectures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Number of texts of random words.
    pub texts: usize,
    /// Number of texts that the submission's architecture answered with finite logits.
    pub answered: usize,
    /// Number of texts for which all logits equal the reference's up to rounding.
    pub same: usize,
    /// Correlation of the logits of both architectures over the texts: 1 for the same function, 0
    /// for an unrelated one.
    pub correlation: f64,
}

impl Agreement {
    /// True if both architectures compute the same function.
    pub fn is_whole(&self) -> bool {
        self.same == self.texts
    }

    /// True if the submission's architecture is related to the reference.
    ///
    /// The correlation of unrelated answers to `n` texts has a standard deviation of `1/√n`; five
    /// of them are exceeded by chance less than once in a million. With a checkpoint that gives the
    /// same answer to everything, there is no correlation; then equal logits decide.
    pub fn is_related(&self) -> bool {
        self.is_whole() || self.correlation > 5.0 / (self.texts.max(1) as f64).sqrt()
    }
}

/// Asks the submission's architecture and the reference, both with the parameters of the plan,
/// about the same texts of random words; `seed` determines the texts and the secret order of ids
/// and classes.
///
/// # Errors
///
/// Fails with the verdict if an architecture answers nothing at all, and with an error if the
/// grader's side is broken.
pub fn agreement(
    own: &mut dyn Session,
    reference: &mut dyn Session,
    plan: &Plan,
    seed: u64,
) -> Result<Agreement, Stop> {
    let blind = Permutation::new(plan, seed);
    let parameters = first_parameters(plan, &blind, seed)?;
    let batches = random_texts(plan, seed)?;
    let right = logits_of(reference, plan, &parameters, &blind, &batches)?;
    let mut most = 0.0_f64;
    for run in 0..SHAKEN {
        let mut stream = Stream::derive(seed, "agreement/rounding", run);
        let shaken = shaken(&parameters, &mut stream)?;
        let moved = logits_of(reference, plan, &shaken, &blind, &batches)?;
        let pairs = right.iter().flatten().zip(moved.iter().flatten());
        most = pairs.map(|(x, y)| x.largest_difference(y)).fold(most, f64::max);
    }
    let magnitude = right.iter().flatten().fold(0.0_f64, |most, it| most.max(it.magnitude()));
    let allowed = MORE * most.max(4.0 * F32_ROUNDING * magnitude.max(1.0));
    let given = logits_of(own, plan, &parameters, &blind, &batches)?;
    Ok(held_against(&given, &right, allowed))
}

/// Returns the logits of each batch, `None` for a batch without an answer. Fails with the first
/// fault if the component cannot be constructed or answers no batch.
fn logits_of(
    session: &mut dyn Session,
    plan: &Plan,
    parameters: &[(String, Tensor)],
    blind: &Permutation,
    batches: &[Vec<Vec<u32>>],
) -> Result<Vec<Option<Array>>, Stop> {
    let case = plan.case();
    ask(session, &case, &plan.construct(parameters.to_vec()))?;
    let (mut all, mut first) = (Vec::new(), None);
    for texts in batches {
        let reply = session.ask(&Request::Forward { inputs: blind.texts(texts)? })?;
        let logits = match reply {
            Attempt::Success(Reply::Outputs(outputs)) => {
                let shape = [texts.len(), plan.classes.len()];
                Answer::new(outputs).get(&case, "logits", &shape)
            }
            Attempt::Success(_) => Err(garbled(&case, "forward")),
            Attempt::Fault(fault_of) => Err(fault(&case, fault_of)),
        };
        match logits {
            Ok(logits) => all.push(Some(logits)),
            Err(error @ Stop::Error(_)) => return Err(error),
            Err(stop) => {
                first.get_or_insert(stop);
                all.push(None);
            }
        }
    }
    match first {
        Some(stop) if all.iter().all(Option::is_none) => Err(stop),
        Some(_) | None => Ok(all),
    }
}

/// Returns texts of random words, in batches.
fn random_texts(plan: &Plan, seed: u64) -> Result<Vec<Vec<Vec<u32>>>, CheckError> {
    let mut stream = Stream::derive(seed, "agreement/texts", 0);
    let words = u64::from(plan.vocabulary.saturating_sub(UNKNOWN + 1));
    if words == 0 {
        return Err(inconsistent("there are no words".to_owned()));
    }
    let mut text = |at: usize| -> Vec<u32> {
        let word = |_| UNKNOWN + 1 + u32::try_from(stream.below(words)).unwrap_or(0);
        (0..length(at)).map(word).collect()
    };
    let texts: Vec<Vec<u32>> = (0..TEXTS).map(&mut text).collect();
    Ok(texts.chunks(AT_ONCE).map(<[Vec<u32>]>::to_vec).collect())
}

/// Returns the parameters with every number replaced at random by a neighbouring `f32` or left
/// unchanged.
fn shaken(
    parameters: &[(String, Tensor)],
    stream: &mut Stream,
) -> Result<Vec<(String, Tensor)>, CheckError> {
    let mut moved = Vec::new();
    for (name, tensor) in parameters {
        let Data::F32(values) = tensor.data() else {
            return Err(inconsistent(format!("{name} is not f32")));
        };
        let values = values.iter().map(|x| neighbour(*x, stream.below(3))).collect();
        let tensor = Tensor::f32(tensor.shape(), values);
        let tensor = tensor.map_err(|error| inconsistent(format!("{name}: {error}")))?;
        moved.push((name.clone(), tensor));
    }
    Ok(moved)
}

/// Returns the `f32` before or after `x`, by the last bit of its size, or `x` itself.
fn neighbour(x: f32, by: u64) -> f32 {
    match by {
        0 if x != 0.0 => f32::from_bits(x.to_bits() - 1),
        1 if x != 0.0 && x.abs() < f32::MAX => f32::from_bits(x.to_bits() + 1),
        _ => x,
    }
}

fn held_against(given: &[Option<Array>], right: &[Option<Array>], allowed: f64) -> Agreement {
    let texts = right.len() * AT_ONCE;
    let (mut answered, mut same) = (0, 0);
    // Pairs of logits, by the length of the text and by the class.
    let mut pairs: BTreeMap<(usize, usize), Vec<(f64, f64)>> = BTreeMap::new();
    for (batch, (given, right)) in given.iter().zip(right).enumerate() {
        let (Some(given), Some(right)) = (given, right) else { continue };
        let classes = right.dim(1).max(1);
        let rows = given.values().chunks(classes).zip(right.values().chunks(classes));
        for (at, (given, right)) in rows.enumerate() {
            if given.iter().chain(right).any(|x| !x.is_finite()) {
                continue;
            }
            answered += 1;
            let near = given.iter().zip(right).all(|(x, y)| (x - y).abs() <= allowed);
            same += usize::from(near);
            for (class, (x, y)) in given.iter().zip(right).enumerate() {
                let group = (length(batch * AT_ONCE + at), class);
                pairs.entry(group).or_default().push((*x, *y));
            }
        }
    }
    Agreement { texts, answered, same, correlation: correlation(&pairs) }
}

/// Correlation of both logits of each class, after subtracting their means over all texts of a
/// length, so that neither a constant nor an effect of the length alone counts as a relation.
fn correlation(pairs: &BTreeMap<(usize, usize), Vec<(f64, f64)>>) -> f64 {
    let (mut both, mut one, mut other) = (0.0, 0.0, 0.0);
    for group in pairs.values() {
        let n = group.len().max(1) as f64;
        let mean_x = group.iter().map(|(x, _)| x).sum::<f64>() / n;
        let mean_y = group.iter().map(|(_, y)| y).sum::<f64>() / n;
        for (x, y) in group {
            let (x, y) = (x - mean_x, y - mean_y);
            both += x * y;
            one += x * x;
            other += y * y;
        }
    }
    // The rounding of a mean is no variation.
    if one <= f64::EPSILON || other <= f64::EPSILON { 0.0 } else { both / (one * other).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[[f64; 2]]) -> Vec<Option<Array>> {
        let chunks = rows.chunks(AT_ONCE);
        chunks.map(|rows| Some(Array::new(&[rows.len(), 2], rows.concat()))).collect()
    }

    /// Returns logits that vary between texts.
    fn right() -> Vec<[f64; 2]> {
        (0..TEXTS).map(|n| [(n as f64).sin(), (3.0 * n as f64).cos()]).collect()
    }

    fn against(change: impl Fn(usize, [f64; 2]) -> [f64; 2]) -> Agreement {
        let given: Vec<[f64; 2]> =
            right().into_iter().enumerate().map(|(n, row)| change(n, row)).collect();
        held_against(&of(&given), &of(&right()), 1e-6)
    }

    #[test]
    fn the_same_function_agrees_and_a_similar_one_is_related() {
        let same = against(|_, row| row.map(|x| x + 1e-7));
        assert!(same.is_whole() && same.is_related() && same.answered == TEXTS, "{same:?}");
        let scaled = against(|_, row| row.map(|x| 0.5 * x + 1.0));
        assert!(!scaled.is_whole() && scaled.is_related(), "{scaled:?}");
        let once = against(|n, row| if n == 7 { [0.0, 9.0] } else { row });
        assert_eq!((once.same, once.is_whole(), once.is_related()), (TEXTS - 1, false, true));
    }

    #[test]
    fn constants_and_other_functions_are_not_related() {
        for other in [
            against(|_, _| [3.0, -1.0]),
            against(|n, _| [length(n) as f64, 1.0 / length(n) as f64]),
            against(|n, _| [(1.7 * n as f64).sin(), (0.3 * n as f64).cos()]),
            against(|_, row| row.map(|x| -x)),
            against(|_, _| [f64::NAN, 0.0]),
        ] {
            assert!(!other.is_related() && other.same < TEXTS / 10, "{other:?}");
        }
    }

    #[test]
    fn batches_without_an_answer_agree_with_nothing() {
        let mut given = of(&right());
        given[0] = None;
        let agreement = held_against(&given, &of(&right()), 1e-6);
        assert_eq!((agreement.same, agreement.answered), (TEXTS - AT_ONCE, TEXTS - AT_ONCE));
        assert!(!agreement.is_whole() && agreement.is_related());
    }

    #[test]
    fn a_number_is_moved_by_a_unit_in_its_last_place() {
        let tensor = Tensor::f32(&[4], vec![1.0, -2.0, 0.0, f32::MAX]).unwrap();
        let mut stream = Stream::derive(1, "test", 0);
        let moved = shaken(&[("w".to_owned(), tensor.clone())], &mut stream).unwrap();
        let (Data::F32(before), Data::F32(after)) = (tensor.data(), moved[0].1.data()) else {
            panic!()
        };
        for (x, y) in before.iter().zip(after) {
            assert!(y.is_finite() && x.to_bits().abs_diff(y.to_bits()) <= 1, "{x} {y}");
        }
    }
}
