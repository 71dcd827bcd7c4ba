//! The hidden checks, a file a task.

pub(crate) mod classifier;
pub(crate) mod encoder;
pub(crate) mod encoder_layer;
pub(crate) mod feed_forward;
pub(crate) mod glove;
mod layer_dropout;
mod layer_inputs;
pub(crate) mod layer_limits;
pub(crate) mod sweep;

use encoder_checks::cases::{EncoderShape, full_mantissas};

use softmark_checks::texts::at_real_tokens;
use softmark_checks::{Array, Case, Judged, Signature, Stop, Subject};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{
    Cotangents, LossyOperations, Trainable, answers_again, expected, follows_updates,
    matches_gradients, matches_oracle_where, with_parameters_of,
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

/// Tolerance of the gradients of a part.
fn back(case: &Case) -> Tolerance {
    let of = |name: &str| case.find(name).map_or(0, |it| it.dim(0) * it.dim(1));
    gradient_tolerance(bound(case), of("x").max(of("ids")))
}

/// Function that constructs a case of a part from its shape and a seed.
type Part = fn(&EncoderShape, u64) -> Case;

/// The shape with one text without padding: what goes wrong with several texts, or with padding, is for other
/// checks.
fn one_text(shape: &EncoderShape) -> EncoderShape {
    EncoderShape { b: 1, padded: false, ..*shape }
}

/// Checks that a part follows updates of its parameters, on one text without padding.
fn follows_new_parameters(
    subject: &mut Subject<'_>,
    (shape, seed): (&EncoderShape, u64),
    part: Part,
) -> Judged {
    let shape = one_text(shape);
    let case = part(&shape, seed);
    let other = EncoderShape { data: shape.data.wrapping_add(1), ..shape };
    let changed = with_parameters_of(&case, &part(&other, seed), &|_| true);
    let allowed = tolerance(&changed);
    expected(&case, oracle)?.iter().try_for_each(|(name, want)| {
        follows_updates(subject, (&case, &changed), (name, want.shape()), allowed, "")
    })
}

/// Checks that a part answers one text after a shorter one as a new part does.
fn answers_longer_text(
    subject: &mut Subject<'_>,
    (shape, seed): (&EncoderShape, u64),
    part: Part,
) -> Judged {
    let shape = one_text(shape);
    let first = part(&EncoderShape { spare: shape.spare + 1, ..shape }, seed);
    let longer = part(&EncoderShape { t: shape.t + 1, padded: true, ..shape }, seed);
    let allowed = tolerance(&longer);
    expected(&longer, oracle)?.iter().try_for_each(|(name, want)| {
        answers_again(subject, (&first, &longer), (name, want.shape()), allowed)
    })
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
