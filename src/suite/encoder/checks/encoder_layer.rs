//! Hidden checks of the encoder layer.

use softmark_checks::check::{Judged, wrong};
use softmark_checks::encoder::cases::{EncoderShape, encoder_shapes};
use softmark_checks::encoder::dropout::{self, with_dropout};
use softmark_checks::encoder::encoder_layer::{output_responds, pass, silent};
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};
use softmark_kit::compare::Tolerance;

use crate::check::{answer_inside, follows_updates, same_on_views, with_parameters_of};
use crate::suite::encoder::checks::{below, output_of, right, slopes};
use crate::suite::encoder::oracle::{
    layer_from_feed_forward, layer_input_of_feed_forward, oracle, tolerance,
};

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/matches-reference", seed);
    search(subject, run, 8, encoder_shapes(), |subject, shape| {
        let words = (
            "The output should be that of the formula, for post-norm and for pre-norm layers",
            "Go through the two lines of your norm's placement in the documentation of EncoderLayer: \
             what does each sum add, and what does each norm get?",
        );
        let each = shape.each_placement().into_iter();
        each.map(|shape| shape.encoder_layer(seed)).try_for_each(|it| right(subject, &it, words))
    })
}

/// The case with inputs about as large as the square root of `ε`, so that it is half of what a norm
/// divides by.
pub(crate) fn faint(case: &Case) -> Case {
    case.with("x", case.get("x").map(|x| x / 512.0))
}

pub(crate) fn epsilon(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/epsilon", seed);
    search(subject, run, 4, encoder_shapes(), |subject, shape| {
        let words = (
            "The inputs are as small as 0.004 here, so that ε = 1e-5 counts in what a norm divides \
             by",
            "Look at the ε of both norms, and at whether it is added before or after the root is \
             taken.",
        );
        // What is hidden is a matter of its own.
        let post = EncoderShape { pre_norm: false, padded: false, ..*shape };
        right(subject, &faint(&silent(&post.encoder_layer(seed))), words)?;
        let pre = EncoderShape { pre_norm: true, ..post };
        right(subject, &faint(&pre.encoder_layer(seed)), words)
    })
}

pub(crate) fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/strided-input", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        EncoderShape { t: shape.t.max(2), ..*shape }.each_placement().into_iter().try_for_each(
            |shape| {
                let plain = shape.encoder_layer(seed);
                let view = EncoderShape { strided: true, ..shape }.encoder_layer(seed);
                same_on_views(subject, (&plain, &view), oracle, tolerance(&plain))?;
                let before = pass(subject, &plain)?;
                output_responds(subject, &plain, &before)
            },
        )
    })
}

/// Small, because every entry of every matrix is moved twice; two tokens, so that there is a choice.
pub(super) fn small(shape: &EncoderShape) -> EncoderShape {
    EncoderShape {
        b: shape.b.min(2),
        t: shape.t.clamp(2, 3),
        h: 2,
        k: 2,
        f: shape.f.min(3),
        v: shape.v.min(4),
        spare: shape.spare.min(1),
        layers: 1,
        c: 2,
        padded: false,
        ..*shape
    }
}

pub(crate) fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/gradients", seed);
    search(subject, run, 1, encoder_shapes(), |subject, shape| {
        let each = small(shape).each_placement().into_iter();
        each.map(|shape| shape.encoder_layer(seed)).try_for_each(|it| slopes(subject, &it, seed))
    })
}

/// One text without padding: what goes wrong with those is for other checks.
pub(crate) fn updated_parameters(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/updated-parameters", seed);
    search(subject, run, 0, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { b: 1, padded: false, ..*shape };
        let case = shape.encoder_layer(seed);
        let other = EncoderShape { data: shape.data.wrapping_add(1), ..shape };
        let changed = with_parameters_of(&case, &other.encoder_layer(seed), &|_| true);
        let allowed = tolerance(&changed);
        follows_updates(subject, (&case, &changed), ("output", case.get("x").shape()), allowed)
    })
}

/// The case with sublayers that give 1 and 4 throughout, whatever comes in.
pub(crate) fn constant(case: &Case) -> Case {
    let mut constant = silent(case);
    for (name, value) in [("self_attn.out_proj.bias", 1.0), ("feed_forward.linear2.bias", 4.0)] {
        constant = constant.with_parameter(name, &case.get_parameter(name).map(|_| value));
    }
    constant.label = format!("{}, the sublayers give 1 and 4", case.label);
    constant
}

/// In a pre-norm layer, what is added to the input stands bare: each of the two constants should be
/// dropped or doubled.
pub(crate) fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/dropout-drops", seed);
    search(subject, run, 2, encoder_shapes(), |subject, shape| {
        // 64 numbers, so that no outcome is missing by chance.
        let shape = EncoderShape { b: 2, t: 4, h: 2, k: 4, ..*shape };
        for shape in shape.each_placement() {
            // A bias of 1 in every channel would be evened out by a norm.
            let case = constant(&shape.encoder_layer(seed));
            dropout::works(subject, &case, "output", case.get("x").shape())?;
        }
        let case = constant(&EncoderShape { pre_norm: true, ..shape }.encoder_layer(seed));
        let asked = with_dropout(&case, 500, true);
        let (x, output) = (case.get("x"), pass(subject, &asked)?);
        each_of_four(&asked, &Array::from_fn(x.shape(), |at| output.at(at) - x.at(at)))
    })
}

fn each_of_four(case: &Case, added: &Array) -> Judged {
    let near = |want: f64| added.values().iter().filter(|x| (*x - want).abs() < 1e-3).count();
    let counts = [0.0, 2.0, 8.0, 10.0].map(near);
    let n = added.values().len();
    if counts.iter().sum::<usize>() == n && counts.iter().all(|count| *count > 0) {
        return Ok(());
    }
    let [none, first, second, both] = counts;
    let message = format!(
        "The sublayers give 1 and 4, and with dropout of probability 0.5 each of the two should be \
         dropped or doubled before it is added: sums of 0, 2, 8 and 10. Of {n} sums, {none} are 0, \
         {first} are 2, {second} are 8, {both} are 10, and the rest is none of them. Look at where \
         dropout stands in each of the two sums."
    );
    Err(wrong(case, message))
}

pub(crate) fn refuses_uneven_heads(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/refuses-uneven-heads", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        let fitting = EncoderShape { h: 1, k: 5, ..*shape }.encoder_layer(seed);
        let mut uneven = fitting.with_size("heads", 2);
        "D=5 H=2".clone_into(&mut uneven.label);
        let words = (
            "2 heads do not divide a width of 5, so what makes the attention returns an error, and \
             `new` should pass it on",
            "Look at what is done with the result of `below`.",
        );
        refuses(subject, (&fitting, &uneven), words)
    })
}

/// The case with an attention that gives zeros, and numbers so large that the ε of a norm plays no part:
/// what stands beside the network is for other checks.
fn loud(case: &Case) -> Case {
    let mut loud = case.with("x", case.get("x").map(|x| x * 16.0));
    for (name, by) in [
        ("self_attn.out_proj.weight", 0.0),
        ("self_attn.out_proj.bias", 0.0),
        ("norm1.weight", 16.0),
    ] {
        loud = loud.with_parameter(name, &case.get_parameter(name).map(|x| x * by));
    }
    loud
}

/// The case with a network inside that is right, as far as the layer goes: it is the submission's own,
/// asked the question that the layer should put to it.
pub(crate) fn own_feed_forward(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/own-feed-forward", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        let case = loud(&shape.encoder_layer(seed));
        let asked = layer_input_of_feed_forward(&case);
        let inner = below(&case, "feed-forward", "feed_forward.").input("x", asked.clone());
        let by = "feed-forward/matches-reference";
        let fed = answer_inside(subject, (&case, &inner), by, output_of(asked.shape()))?;
        let want = layer_from_feed_forward(&case, &fed);
        let words = (
            "With your own feed-forward network inside, the layer should add what that network gives",
            "Look at whether the network that `below` makes is the one that is used, and at what it \
             is given.",
        );
        // The network answers twice, once from here and once from within, each time with its own rounding.
        let once = tolerance(&case);
        let twice = Tolerance { absolute: 2.0 * once.absolute, ..once };
        compare(&case, "output", (&pass(subject, &case)?, &want), twice, words)
    })
}
