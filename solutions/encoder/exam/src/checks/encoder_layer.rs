//! Hidden checks of the encoder layer.

pub(crate) use crate::checks::layer_dropout::{constant, dropout_drops};
pub(crate) use crate::checks::layer_limits::refuses_uneven_heads;
use crate::checks::state::{
    answers_longer_text, draws_anew, follows_new_parameters, follows_the_mask, follows_the_mode,
    one_text,
};
use crate::checks::{
    FIXED, LONG, below, full_and_empty, meaningful, output_of, right, right_epsilon, slopes,
    slopes_in_training,
};
use crate::oracle::{
    bound, layer_from_feed_forward, layer_input_of_feed_forward, oracle, with_stand_ins,
};
use crate::rounding::tolerance;
use encoder_checks::cases::{EncoderShape, encoder_shapes};
use encoder_checks::encoder_layer::{output_responds, pass, silent};
use encoder_checks::signatures;
use softmark_checks::check::if_passed;
use softmark_checks::subject::compare;
use softmark_checks::{Case, Check, CheckError, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{answer_inside, same_on_views};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "encoder-layer/matches-reference",
        title: "the output is that of the formula, post-norm and pre-norm",
        run: matches_reference,
    },
    Check {
        id: "encoder-layer/epsilon",
        title: "what is added to the variance is 1e-5",
        run: epsilon,
    },
    Check {
        id: "encoder-layer/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "encoder-layer/gradients",
        title: "gradients reach the input and all parameters, and are right",
        run: gradients,
    },
    Check {
        id: "encoder-layer/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "encoder-layer/dropout-drops",
        title: "in training, what each sublayer adds is dropped or scaled, and both are told",
        run: dropout_drops,
    },
    Check {
        id: "encoder-layer/refuses-uneven-heads",
        title: "an error of the attention is passed on",
        run: refuses_uneven_heads,
    },
    Check {
        id: "encoder-layer/own-feed-forward",
        title: "with the submission's own network inside, it does what that network makes of it",
        run: own_feed_forward,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/matches-reference", seed);
    let words = (
        "The output should be that of the formula, for post-norm and for pre-norm layers",
        "Go through the two lines for this placement of the norms in the documentation of EncoderLayer: \
         what does each sum add, and what do each norm and each sublayer get?",
    );
    let found = search(subject, run, 8, encoder_shapes(), |subject, shape| {
        let each = shape.each_placement().into_iter();
        each.map(|shape| shape.encoder_layer(seed)).try_for_each(|it| right(subject, &it, words))
    })?;
    if_passed(found, || {
        let each = LONG.each_placement().into_iter();
        let full = each.map(|shape| full_and_empty(&shape.encoder_layer(FIXED)));
        full.into_iter().try_for_each(|case| right(subject, &case, words))?;
        let words = (
            "Here `below` makes an attention and a network whose outputs have the opposite sign, and the \
             output should be what the layer makes of those",
            "Look at whether the attention and the network that `below` makes are the ones that are used.",
        );
        let each = LONG.each_placement().into_iter();
        each.map(|shape| with_stand_ins(&shape.encoder_layer(FIXED)))
            .try_for_each(|case| right(subject, &case, words))
    })
}

/// The case with inputs about as large as the square root of `ε`, so that it is half of what a norm
/// divides by.
pub(crate) fn faint(case: &Case) -> Case {
    case.with("x", case.get("x").map(|x| x / 512.0))
}

fn epsilon(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder-layer/epsilon", seed), 4, encoder_shapes(), |subject, shape| {
        let words = (
            "A norm gets numbers of about 0.004 here, so that ε = 1e-5 counts in what it divides by",
            "If encoder-layer/matches-reference fails too, begin there. If not, look at the ε of both \
             norms, and at whether it is added before or after the root is taken.",
        );
        // What is hidden is a matter of its own.
        let post = EncoderShape { pre_norm: false, padded: false, ..*shape }.encoder_layer(seed);
        let pre = EncoderShape { pre_norm: true, padded: false, ..*shape }.encoder_layer(seed);
        let quiet = without_attention(&pre);
        // In each placement, what the first norm gets and then what the second one gets.
        let each = [faint(&silent(&post)), hushed(&silent(&post)), faint(&pre), faint(&quiet)];
        each.iter().try_for_each(|case| right_epsilon(subject, case, words))
    })
}

/// The case with a first norm that gives numbers about as large as the square root of `ε`.
pub(crate) fn hushed(case: &Case) -> Case {
    let small = |name| case.get_parameter(name).map(|x| x / 512.0);
    case.with_parameter("norm1.weight", &small("norm1.weight"))
        .with_parameter("norm1.bias", &small("norm1.bias"))
}

/// The case with an attention that gives zeros.
pub(crate) fn without_attention(case: &Case) -> Case {
    let none = |name| case.get_parameter(name).map(|_| 0.0);
    case.with_parameter("self_attn.out_proj.weight", &none("self_attn.out_proj.weight"))
        .with_parameter("self_attn.out_proj.bias", &none("self_attn.out_proj.bias"))
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder-layer/strided-input", seed), 3, encoder_shapes(), |subject, shape| {
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
pub(crate) fn small(shape: &EncoderShape) -> EncoderShape {
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

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/gradients", seed);
    let found = search(subject, run, 1, encoder_shapes(), |subject, shape| {
        let each = small(shape).each_placement().into_iter();
        each.map(|shape| shape.encoder_layer(seed)).try_for_each(|it| slopes(subject, &it, seed))
    })?;
    if_passed(found, || {
        let each = small(&LONG).each_placement().into_iter();
        each.map(|shape| shape.encoder_layer(FIXED))
            .try_for_each(|case| slopes_in_training(subject, &case))
    })
}

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/updated-parameters", seed);
    search(subject, run, 0, encoder_shapes(), |subject, shape| {
        follows_new_parameters(subject, (shape, seed), EncoderShape::encoder_layer)?;
        answers_longer_text(subject, (shape, seed), EncoderShape::encoder_layer)?;
        follows_the_mask(subject, (shape, seed), EncoderShape::encoder_layer)?;
        follows_the_mode(subject, (shape, seed), EncoderShape::encoder_layer)?;
        // The sublayers give constants, whatever they drop inside of them.
        let wide = EncoderShape { t: 8, h: 2, k: 4, pre_norm: true, ..one_text(shape) };
        draws_anew(subject, &constant(&wide.encoder_layer(seed)))
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
fn own_feed_forward(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/own-feed-forward", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        let case = loud(&shape.encoder_layer(seed));
        let asked = layer_input_of_feed_forward(&case);
        let inner =
            below(&case, &signatures::FEED_FORWARD, "feed_forward.").input("x", asked.clone());
        let by = "feed-forward/matches-reference";
        let fed = answer_inside(subject, (&case, &inner), by, output_of(asked.shape()))?;
        let want = layer_from_feed_forward(&case, &fed);
        let words = (
            "With your own feed-forward network inside, the layer should add what that network gives",
            "Look at whether the network that `below` makes is the one that is used, at what it is given, and \
             at what is done with what it gives.",
        );
        // The network answers twice, once from here and once from within, each time with its own rounding.
        let once = bound(&case);
        let twice = Tolerance { absolute: 2.0 * once.absolute, ..once };
        let pair = (&meaningful(&case, &pass(subject, &case)?), &meaningful(&case, &want));
        compare(&case, "output", pair, twice, words)
    })
}
