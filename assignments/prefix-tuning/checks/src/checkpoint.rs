//! Task 4, saving what was tuned: properties of every correct implementation.

use proptest::prelude::*;
use softmark_checks::Signature;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, wrong};
use softmark_checks::corners::Corners;
use softmark_checks::mantissa;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::signatures::{self, NAMES};
use crate::steps::tuned;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "checkpoint/keeps-what-was-tuned",
        title: "every tuned parameter is kept, bit for bit, and nothing else is",
        run: keeps_what_was_tuned,
    },
    Check {
        id: "checkpoint/puts-it-back",
        title: "a fresh model gets what was kept, bit for bit, and the rest of it stays",
        run: puts_it_back,
    },
];

const CASES: usize = 4;

/// A model that is saved, or loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedShape {
    /// Width of the model, `D`.
    pub d: usize,
    /// Number of classes, `C`.
    pub c: usize,
    /// Length of the prefix, `P`.
    pub p: usize,
    /// True if a prefix and a head are tuned; false if a layer and a head are tuned.
    pub prefix: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// A difference between the shape of a saved tensor and that of its parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// The saved tensor has one more axis, of size 1, and as many numbers.
    AxisMore,
    /// The saved tensor has one more row, and as many axes.
    RowMore,
    /// The saved tensor is transposed, and has as many axes and numbers.
    Transposed,
}

/// Names of classes, not in alphabetical order.
const LABELS: [&str; 12] =
    ["NUM", "ABBR", "LOC", "HUM", "DESC", "ENTY", "YEAR", "BODY", "FOOD", "WORD", "CITY", "DATE"];

impl SavedShape {
    /// Returns the shapes of the parameters, in the order of [`NAMES`].
    #[must_use]
    pub fn shapes(&self) -> [Vec<usize>; 7] {
        let Self { d, c, p, .. } = *self;
        [vec![d], vec![d], vec![c], vec![c, d], vec![d, d], vec![d], vec![p, d]]
    }

    /// Returns 1 for each parameter that is tuned and 0 for the others, in the order of [`NAMES`].
    #[must_use]
    pub fn learns(&self) -> [f64; 7] {
        tuned(self.prefix)
    }

    /// Returns all values of the parameters, concatenated.
    fn values(&self, seed: u64, name: &str) -> Array {
        let count = self.shapes().iter().map(|shape| shape.iter().product::<usize>()).sum();
        mantissa::between(&[count], [-2.0, 2.0], &mut Stream::derive(seed, name, self.data))
    }

    /// `values` where `kept` is 1, and 0 elsewhere; or those of `other`.
    #[must_use]
    pub fn chosen(&self, kept: &[f64; 7], values: &Array, other: Option<&Array>) -> Array {
        let counts = self.shapes().map(|shape| shape.iter().product::<usize>());
        let bits = kept.iter().zip(counts).flat_map(|(bit, count)| vec![*bit; count]);
        let places = bits.enumerate().map(|(at, bit)| match (bit == 1.0, other) {
            (true, _) => values.at(&[at]),
            (false, Some(other)) => other.at(&[at]),
            (false, None) => 0.0,
        });
        Array::new(values.shape(), places.collect())
    }

    /// Compares all parameters in a row bit for bit, each under its own name.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if a parameter differs.
    pub fn compare(
        &self,
        case: &Case,
        (got, want): (&Array, &Array),
        words: (&str, &str),
    ) -> Judged {
        let mut from = 0;
        for (name, dims) in NAMES.iter().zip(self.shapes()) {
            let count: usize = dims.iter().product();
            let part = |all: &Array| {
                let values = all.values().iter().skip(from).take(count).copied();
                Array::new(&dims, values.collect())
            };
            compare(case, name, (&part(got), &part(want)), Tolerance::EXACT, words)?;
            from += count;
        }
        Ok(())
    }

    fn case(&self, signature: &'static Signature) -> Case {
        let Self { d, c, p, .. } = *self;
        let kind = if self.prefix { "a prefix and a head" } else { "a layer and a head" };
        let label = format!("{kind} were tuned, D={d} C={c} P={p}");
        // The last labels come first, so that sorting them changes their order.
        let labels: Vec<&str> = LABELS.iter().copied().take(c).collect();
        Case::new(signature, label)
            .size("d_model", d)
            .size("classes", c)
            .size("prefix", p)
            .mask_called("learns", Array::new(&[NAMES.len()], self.learns().to_vec()))
            .text("labels", &labels.join("\n"))
    }

    /// Returns a case in which a tuned model is saved.
    pub fn save(&self, seed: u64) -> Case {
        self.case(&signatures::SAVE).input("tuned", self.values(seed, "tuned"))
    }

    /// Returns a case in which a matching checkpoint is loaded into a fresh model.
    pub fn load(&self, seed: u64) -> Case {
        self.case(&signatures::LOAD)
            .size("other_base", 0)
            .size("stranger", 0)
            .size("misshapen", 0)
            .size("misfit", Misfit::AxisMore as usize)
            .mask_called("kept", Array::new(&[NAMES.len()], self.learns().to_vec()))
            .input("saved", self.values(seed, "saved"))
            .input("fresh", self.values(seed, "fresh"))
    }
}

impl Corners for SavedShape {
    fn corners(&self) -> Vec<Self> {
        let of = |prefix: bool| Self { d: 4, c: 5, p: 2, prefix, data: self.data };
        vec![of(false), of(true)]
    }
}

/// Returns the strategy for models with few parameters.
pub fn saved_shapes() -> impl Strategy<Value = SavedShape> {
    (1..=4_usize, 2..=5_usize, 1..=3_usize, any::<bool>(), any::<u64>().no_shrink())
        .prop_map(|(d, c, p, prefix, data)| SavedShape { d, c, p, prefix, data })
}

/// Runs the part and returns the tensor `name`, which must have the shape `shape`.
///
/// # Errors
///
/// Fails with the verdict if the tensor has another shape.
pub fn told(
    subject: &mut Subject<'_>,
    case: &Case,
    name: &str,
    shape: &[usize],
) -> Result<Array, Stop> {
    subject.forward(case)?.get(case, name, shape)
}

/// Returns the names of the parameters with these indices, separated by commas.
fn names(which: impl Iterator<Item = usize>) -> String {
    let names: Vec<&str> = which.filter_map(|n| NAMES.get(n).copied()).collect();
    names.join(", ")
}

fn keeps_what_was_tuned(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("checkpoint/keeps-what-was-tuned", seed);
    search(subject, run, CASES, saved_shapes(), |subject, shape| {
        let (case, learns) = (shape.save(seed), shape.learns());
        let answer = subject.forward(&case)?;
        let kept = answer.get(&case, "kept", &[NAMES.len()])?;
        let of = |keep: fn(f64, f64) -> bool| {
            let pairs = learns.iter().zip(kept.values()).enumerate();
            names(pairs.filter(move |(_, (due, is))| keep(**due, **is)).map(|(n, _)| n))
        };
        let look = "Look at what decides which parameters are kept: `learns` says which.";
        for (found, said) in [
            (of(|due, is| due == 1.0 && is == 0.0), "Tuned, and not kept"),
            (of(|due, is| due == 1.0 && is == 2.0), "Kept in another shape or dtype"),
            (of(|due, is| due == 0.0 && is != 0.0), "Not tuned, and kept all the same"),
        ] {
            if !found.is_empty() {
                return Err(wrong(&case, format!("{said}: {found}. {look}")));
            }
        }
        if answer.get(&case, "strangers", &[1])?.at(&[0]) != 0.0 {
            let message = format!("Tensors were kept under names that no parameter has. {look}");
            return Err(wrong(&case, message));
        }
        let want = shape.chosen(&learns, &case.get("tuned"), None);
        let got = answer.get(&case, "values", want.shape())?;
        let words = (
            "What is kept should be the tuned parameters, bit for bit",
            "Look at what is done with them before they are kept.",
        );
        shape.compare(&case, (&got, &want), words)
    })
}

/// Checks that the checkpoint was accepted.
///
/// # Errors
///
/// Fails with the verdict if the checkpoint was refused.
pub fn judge_taken(subject: &mut Subject<'_>, case: &Case) -> Judged {
    if told(subject, case, "refused", &[1])?.at(&[0]) == 0.0 {
        return Ok(());
    }
    let message = "The checkpoint was tuned on the same encoder and has every tuned parameter in its shape, and \
                   nothing else; it was refused all the same. Look at each condition that ends in an error.";
    Err(wrong(case, message.to_owned()))
}

fn puts_it_back(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("checkpoint/puts-it-back", seed), CASES, saved_shapes(), |subject, shape| {
        let case = shape.load(seed);
        judge_taken(subject, &case)?;
        let want = shape.chosen(&shape.learns(), &case.get("saved"), Some(&case.get("fresh")));
        let got = told(subject, &case, "values", want.shape())?;
        let words = (
            "The tuned parameters should be what was saved, and all others what they were in the \
             fresh model, bit for bit",
            "Look at which parameters are set, and to what.",
        );
        shape.compare(&case, (&got, &want), words)
    })
}
