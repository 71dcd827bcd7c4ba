//! The hidden checks, a file a task.

pub(crate) mod classifier;
mod dropped;
pub(crate) mod encoder;
pub(crate) mod encoder_layer;
pub(crate) mod encoder_limits;
pub(crate) mod feed_forward;
pub(crate) mod glove;
mod layer_dropout;
mod layer_inputs;
pub(crate) mod layer_limits;
mod state;
pub(crate) mod sweep;

use encoder_checks::cases::{EncoderShape, full_mantissas};
use softmark_checks::check::wrong;
use softmark_checks::dropout::with_dropout;
use softmark_checks::texts::at_real_tokens;
use softmark_checks::{Array, Case, Judged, Signature, Stop, Subject};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{
    Cotangents, LossyOperations, Trainable, is_right_where, matches_gradients, matches_oracle_where,
};
use softmark_exam::gradient_tolerance::gradient_tolerance;

use crate::oracle::{bound, oracle};
use crate::rounding::{tolerance, with_any_small_epsilon};

/// Random weights for every output of a case that means something.
pub(crate) fn cotangents(case: &Case, seed: u64) -> Cotangents {
    let all = softmark_exam::cotangents::cotangents(case, oracle, seed);
    all.into_iter().map(|(name, weights)| (name, meaningful(case, &weights))).collect()
}

/// An output of the network with zeros at padding: what a layer or an encoder gives there means nothing, and
/// any numbers are right.
pub(crate) fn meaningful(case: &Case, output: &Array) -> Array {
    match case.find("mask") {
        Some(mask)
            if output.shape().len() == 3 && output.shape().get(..2) == Some(mask.shape()) =>
        {
            at_real_tokens(output, &mask)
        }
        Some(_) | None => output.clone(),
    }
}

/// Checks the outputs of a part of the network wherever they mean something.
fn right_within(
    subject: &mut Subject<'_>,
    case: &Case,
    tolerance: Tolerance,
    words: (&str, &str),
) -> Judged {
    let meaningful = |_: &str, output: &Array| meaningful(case, output);
    matches_oracle_where(subject, case, oracle, tolerance, &meaningful, words)
}

/// Holds the outputs of a part of the network against the oracle's; any small ε is right.
fn right(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    right_within(subject, case, with_any_small_epsilon(case), words)
}

/// Holds the outputs of a part of the network against the oracle's, where ε is what is asked about.
fn right_epsilon(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    right_within(subject, case, tolerance(case), words)
}

/// The numbers of the questions that do not hang on the seed.
const FIXED: u64 = 11;

/// The case with numbers of full length, and with a second text that is padding throughout.
fn full_and_empty(case: &Case) -> Case {
    let mask = case.get("mask");
    let empty = |at: &[usize]| if at.first() == Some(&1) { 0.0 } else { mask.at(at) };
    let mut full = full_mantissas(case, FIXED).with("mask", Array::from_fn(mask.shape(), empty));
    full.label = format!("{}, the second text is padding throughout", case.label);
    full
}

/// More tokens than a block of sixteen has, and three texts.
const LONG: EncoderShape = EncoderShape {
    b: 3,
    t: 20,
    h: 2,
    k: 4,
    f: 5,
    v: 9,
    spare: 1,
    layers: 1,
    c: 3,
    gelu: true,
    padded: true,
    ..EncoderShape::BARE
};

/// Holds the gradients of a part of the network against the oracle's differences.
fn slopes(subject: &mut Subject<'_>, case: &Case, seed: u64) -> Judged {
    let tolerances = (bound(case), back(case));
    let operations = match case.part() {
        "feed-forward" => LossyOperations::None,
        _ => LossyOperations::SoftmaxAndNorm,
    };
    let cotangents = cotangents(case, seed);
    matches_gradients(
        subject,
        (case, case),
        oracle,
        &cotangents,
        tolerances,
        Trainable::all(operations),
    )
}

/// Compares the gradients in training, with dropout of probability 0, with the oracle's, and checks that with dropout each
/// gradient that arrives outside of training arrives as well, whatever its values: a part may choose which numbers it drops.
///
/// The first comparison is left out if the outputs in training differ from those outside of it; the checks of dropout fail then.
fn slopes_in_training(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let undropped = with_dropout(case, 0, true);
    if drops_nothing(subject, &undropped)? {
        slopes(subject, &undropped, FIXED)?;
    }
    let (cotangents, asked) = (cotangents(case, FIXED), with_dropout(case, 100, true));
    let at_rest = subject.gradients(case, &cotangents)?;
    let learning = subject.gradients(&asked, &cotangents)?;
    let all = at_rest.inputs.iter().chain(&at_rest.parameters);
    let arrived = all.filter(|(_, it)| it.as_ref().is_some_and(|it| it.magnitude() > 0.0));
    let found = |name: &str| {
        let gradient = learning.inputs.get(name).or_else(|| learning.parameters.get(name));
        gradient.is_some_and(Option::is_some)
    };
    let lost = arrived.filter(|(name, _)| !found(name)).map(|(name, _)| format!("`{name}`"));
    let lost: Vec<String> = lost.collect();
    if lost.is_empty() {
        return Ok(());
    }
    let message = format!(
        "`train` is true here, with dropout of probability 0.1, and no gradient arrives at {}, though it does \
         where `train` is false: training would change neither that nor what lies before it. Look at what is \
         done in training alone. A tensor that is rebuilt from plain numbers, or detached, has no gradient.",
        lost.join(", ")
    );
    Err(wrong(&asked, message))
}

/// True if the outputs on `undropped`, a case with dropout of probability 0, are those without dropout; false also for an error.
fn drops_nothing(subject: &mut Subject<'_>, undropped: &Case) -> Result<bool, Stop> {
    let tolerance = with_any_small_epsilon(undropped);
    let meaningful = |_: &str, output: &Array| meaningful(undropped, output);
    match is_right_where(subject, undropped, oracle, tolerance, &meaningful) {
        Err(Stop::Outcome(_)) => Ok(false),
        is_right => is_right,
    }
}

/// Tolerance of the gradients of a part.
fn back(case: &Case) -> Tolerance {
    let of = |name: &str| case.find(name).map_or(0, |it| it.dim(0) * it.dim(1));
    gradient_tolerance(bound(case), of("x").max(of("ids")))
}

/// The question that is put to the part below the one that `case` asks, whose parameters stand below
/// `under`.
fn below(case: &Case, part: &'static Signature, under: &str) -> Case {
    let mut below = Case::new(part, case.label.clone());
    below.config = case.config.iter().copied().filter(|(name, _)| part.has_size(name)).collect();
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
