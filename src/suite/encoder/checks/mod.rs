//! The hidden checks, a file a task.

pub(super) mod classifier;
pub(super) mod encoder;
pub(in crate::suite) mod encoder_layer;
pub(super) mod feed_forward;
pub(super) mod glove;
pub(super) mod sweep;

use softmark_checks::{Array, Case, Judged, Stop, Subject};
use softmark_kit::compare::Tolerance;

use crate::check::{Cotangents, matches_gradients, matches_oracle};
use crate::suite::encoder::oracle::{oracle, tolerance};

/// Random weights for every output of a case.
pub(super) fn cotangents(case: &Case, seed: u64) -> Cotangents {
    crate::suite::cotangents::cotangents(case, oracle, seed)
}

/// Holds the outputs of a part of the network against the oracle's.
fn right(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    matches_oracle(subject, case, oracle, tolerance(case), words)
}

/// Holds the gradients of a part of the network against the oracle's differences.
fn slopes(subject: &mut Subject<'_>, case: &Case, seed: u64) -> Judged {
    let forward = tolerance(case);
    // The way back passes the same maps as the way there, and a weight's gradient is a sum over all
    // positions of what arrives there times numbers up to 4.
    let of = |name: &str| case.find(name).map_or(0, |it| it.dim(0) * it.dim(1));
    let positions = of("x").max(of("ids")) as f64;
    let back = Tolerance { absolute: forward.absolute * 4.0 * positions, ..forward };
    matches_gradients(subject, (case, case), oracle, &cotangents(case, seed), (forward, back))
}

/// The question that is put to the part below the one that `case` asks, whose parameters stand below
/// `under`.
fn below(case: &Case, part: &'static str, under: &str) -> Case {
    let mut below = Case::new(part, case.label.clone());
    below.config.clone_from(&case.config);
    for (name, array) in &case.parameters {
        if let Some(name) = name.strip_prefix(under) {
            below = below.parameter(name, array.clone());
        }
    }
    below
}

/// The output of a part inside, of that shape.
fn output_of(
    shape: &[usize],
) -> impl FnOnce(&Case, &softmark_checks::Answer) -> Result<Array, Stop> {
    move |case, answer| answer.get(case, "output", shape)
}
