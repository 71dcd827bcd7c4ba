//! Hidden checks of the encoder.

use encoder_checks::cases::{EncoderShape, encoder_shapes};
use encoder_checks::encoder::{encode, output_responds, shape_of, tokens_kept};
use encoder_checks::encoder_layer::silent;
use encoder_checks::signatures;
use softmark_checks::check::{Judged, if_passed, wrong};
use softmark_checks::computes::moves;
use softmark_checks::dropout::{self, with_dropout};
use softmark_checks::subject::{compare, finite, refuses};
use softmark_checks::texts::embedded;
use softmark_checks::{Array, Case, Check, CheckError, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_common::encoder::EncoderConfig;
use softmark_exam::check::answer_inside;
use softmark_exam::limits::{with_longer_mask, with_other_masks};

use crate::checks::dropped::RATE;
use crate::checks::encoder_layer::small;
use crate::checks::encoder_limits::{refuses_too_long, refuses_unknown_ids};
use crate::checks::feed_forward::{DROPOUT_HINT, drops_or_scales};
use crate::checks::layer_dropout::constant;
use crate::checks::state::{
    answers_longer_text, draws_anew, follows_new_parameters, follows_the_mask, follows_the_mode,
    one_text,
};
use crate::checks::{
    FIXED, LONG, below, full_and_empty, meaningful, output_of, right, right_epsilon, slopes,
    slopes_in_training,
};
use crate::oracle::{finished, with_stand_ins};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "encoder/matches-reference",
        title: "the output is that of the formula, post-norm and pre-norm",
        run: matches_reference,
    },
    Check {
        id: "encoder/post-norm",
        title: "post-norm layers are stacked without a final norm",
        run: post_norm,
    },
    Check {
        id: "encoder/parameter-count",
        title: "the reference configuration has 419,968 parameters",
        run: parameter_count,
    },
    Check {
        id: "encoder/refuses-unknown-ids",
        title: "an id beyond the vocabulary is an error",
        run: refuses_unknown_ids,
    },
    Check {
        id: "encoder/refuses-too-long",
        title: "a sequence longer than the table of positions is an error",
        run: refuses_too_long,
    },
    Check {
        id: "encoder/passes-errors-on",
        title: "errors of the layers, and of what makes them, are passed on",
        run: passes_errors_on,
    },
    Check {
        id: "encoder/gradients",
        title: "gradients reach the embeddings and all layers, and are right",
        run: gradients,
    },
    Check {
        id: "encoder/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "encoder/dropout-drops",
        title: "in training, embedded tokens are dropped or scaled, and the layers learn too",
        run: dropout_drops,
    },
    Check {
        id: "encoder/own-layers",
        title: "with the submission's own layers inside, it does what they make of it",
        run: own_layers,
    },
];

const FORMULA: (&str, &str) = (
    "The output should be that of the formula: embed, then every layer in its turn, then a norm where \
     the layers are pre-norm",
    "Go through the formula in the documentation of Encoder step by step: without layers first, then with \
     one, then with two.",
);

/// Shapes with one and with two layers: two show the input that a layer gets from the one before; one
/// shows the effect of padding more sharply.
fn one_and_two(shape: &EncoderShape) -> [EncoderShape; 2] {
    let one = EncoderShape { layers: 1, padded: true, t: shape.t.max(2), ..*shape };
    [one, EncoderShape { layers: 2, ..*shape }]
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/matches-reference", seed);
    let found = search(subject, run, 6, encoder_shapes(), |subject, shape| {
        let each = one_and_two(&shape.usual()).into_iter();
        each.map(|shape| shape.encoder(seed)).try_for_each(|it| right(subject, &it, FORMULA))
    })?;
    if_passed(found, || {
        let long = full_and_empty(&LONG.usual().encoder(FIXED));
        right(subject, &long, FORMULA)?;
        let words = (
            "Here `below` makes layers whose outputs have the opposite sign, and the output should be what \
             the encoder makes of those",
            "Look at whether the layers that `below` makes are the ones that are used.",
        );
        right(subject, &with_stand_ins(&LONG.usual().encoder(FIXED)), words)?;
        let words = (
            "The embeddings are as small as 0.004 here, and there are no layers, so that ε = 1e-5 counts \
             in what the final norm divides by",
            "Look at the ε of the final norm.",
        );
        let bare = EncoderShape { layers: 0, padded: false, ..LONG.usual() };
        right_epsilon(subject, &faint(&bare.encoder(FIXED)), words)
    })
}

/// The case with embeddings about as large as the square root of `ε`.
fn faint(case: &Case) -> Case {
    let mut faint = case.clone();
    for name in TABLES {
        faint = faint.with_parameter(name, &case.get_parameter(name).map(|x| x / 512.0));
    }
    faint
}

/// The two tables.
const TABLES: [&str; 2] = ["token_embedding.weight", "position_embedding.weight"];

/// Post-norm encoders have no final norm, and parameters for none: whoever has one all the same fails here,
/// and where nothing but the embeddings should be left.
fn post_norm(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/post-norm", seed);
    let post = |shape: &EncoderShape| EncoderShape { pre_norm: false, ..shape.usual() };
    let found = search(subject, run, 4, encoder_shapes(), |subject, shape| {
        let each = one_and_two(&post(shape)).into_iter();
        each.map(|shape| shape.encoder(seed)).try_for_each(|it| right(subject, &it, FORMULA))
    })?;
    if_passed(found, || right(subject, &full_and_empty(&post(&LONG).encoder(FIXED)), FORMULA))
}

/// The numbers in the parameters that the reference configuration asks for.
const REFERENCE_PARAMETERS: usize = 419_968;

/// The reference configuration, with parameters of zeros.
fn reference(seed: u64) -> Case {
    let config = EncoderConfig::reference();
    let shape = EncoderShape {
        b: 1,
        t: 1,
        h: config.heads,
        k: config.d_model / config.heads,
        f: config.d_ff,
        v: config.vocabulary,
        spare: config.max_len - 1,
        layers: config.layers,
        c: 4,
        pre_norm: true,
        gelu: true,
        padded: false,
        dropout_permille: 100,
        train: false,
        strided: false,
        data: 0,
    };
    shape.encoder(seed)
}

fn parameter_count(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let case = reference(seed);
    let mut judge = || {
        let asked = subject.asked(&case)?;
        let count: usize = asked.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
        if count == REFERENCE_PARAMETERS {
            let moved = tokens_kept(&case);
            let changed = "every parameter but the table of tokens was changed";
            return moves(subject, &case, &moved, changed);
        }
        let message = format!(
            "The reference configuration (EncoderConfig::reference) has {REFERENCE_PARAMETERS} \
             parameters, and what was asked for comes to {count}. Look at which of them are missing \
             or shared: write the shape of each beside its name, and add them up."
        );
        Err(wrong(&case, message))
    };
    softmark_checks::check::outcome(judge())
}

/// Errors of the layers' constructor and of the layers must be passed on.
fn passes_errors_on(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/passes-errors-on", seed), 2, encoder_shapes(), |subject, shape| {
        let one = EncoderShape { b: shape.b.max(2), t: shape.t.max(2), layers: 1, ..shape.usual() };
        let fitting = EncoderShape { h: 1, k: 5, ..one }.encoder(seed);
        let mut uneven = fitting.with_size("heads", 2);
        "D=5 H=2".clone_into(&mut uneven.label);
        let words = (
            "2 heads do not divide a width of 5, so what makes the layer returns an error, and `new` \
             should pass it on",
            "Look at what is done with the result of `below`.",
        );
        refuses(subject, (&fitting, &uneven), words)?;
        let case = one.encoder(seed);
        let words = (
            "The mask does not fit the ids, so the first layer returns an error, and `forward` should \
             pass it on",
            "Look at whether every layer is called, and at what is done with the mask on its way there.",
        );
        let misfits = with_other_masks(&case).into_iter().chain([with_longer_mask(&case)]);
        misfits.into_iter().try_for_each(|misfit| refuses(subject, (&case, &misfit), words))
    })
}

/// With padding among the ids, whose row gets no gradient.
fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/gradients", seed);
    let found = search(subject, run, 0, encoder_shapes(), |subject, shape| {
        slopes(subject, &with_padding_id_first(&small_padded(shape).encoder(seed)), seed)
    })?;
    if_passed(found, || {
        let two = EncoderShape { layers: 2, ..small_padded(&LONG) };
        let case = with_padding_id_first(&two.encoder(FIXED));
        slopes(subject, &case, FIXED)?;
        slopes_in_training(subject, &case)
    })
}

fn small_padded(shape: &EncoderShape) -> EncoderShape {
    EncoderShape { t: 3, padded: true, ..small(&shape.usual()) }
}

/// The case with padding's id at the first place of every text, which is a real one: its row gets no gradient
/// wherever it stands.
fn with_padding_id_first(case: &Case) -> Case {
    let first = |array: &Array, value: f64| {
        Array::from_fn(array.shape(), |at| if at.last() == Some(&0) { value } else { array.at(at) })
    };
    let (ids, mask) = (first(&case.get("ids"), 0.0), first(&case.get("mask"), 1.0));
    case.with("ids", ids).with("mask", mask)
}

/// Without layers the embedded tokens stand bare; with embeddings of zeros, only a layer that learns can make
/// anything different; and where the layers give zeros too, nothing should be dropped at all.
fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/dropout-drops", seed), 2, encoder_shapes(), |subject, shape| {
        let wide = EncoderShape { b: 2, t: 8, h: 2, k: 4, padded: false, ..shape.usual() };
        let bare = EncoderShape { layers: 0, pre_norm: false, ..wide }.encoder(seed);
        let dropped = with_dropout(&bare, RATE, true);
        dropout::works(subject, &bare, "output", &shape_of(&bare))?;
        let kept = encode(subject, &bare)?;
        // One sum of numbers up to 2; a norm moves them by far more.
        let look = if kept.largest_difference(&embedded(&bare)) < 1e-3 {
            DROPOUT_HINT
        } else {
            "Without dropout the rows of tokens and positions should be added, there are no layers, and something \
             else comes out: look at what is done to the sum first, and then at dropout."
        };
        drops_or_scales(&dropped, (&encode(subject, &dropped)?, &kept), look)?;
        let two = EncoderShape { layers: 2, ..wide }.encoder(seed);
        for n in 0..2 {
            let case = silenced(&two, Some(n));
            let asked = with_dropout(&case, RATE, true);
            let (before, after) = (encode(subject, &case)?, encode(subject, &asked)?);
            if before.differs(&after) {
                continue;
            }
            [&before, &after].into_iter().try_for_each(|it| finite(&asked, "output", it))?;
            let message = format!(
                "`train` is true and dropout has probability 0.25, and the output did not change. Here only \
                 the sublayers of `layers.{n}` give anything but zeros. Look at whether each layer is used \
                 with its own parameters, and at what it is passed as `train`."
            );
            return Err(wrong(&asked, message));
        }
        let post = EncoderShape { layers: 2, pre_norm: false, ..wide }.encoder(seed);
        [post, two].iter().try_for_each(|case| drops_nothing_else(subject, case))
    })
}

fn drops_nothing_else(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let case = silenced(case, None);
    let asked = with_dropout(&case, RATE, true);
    let words = (
        "The embeddings and all that the sublayers give are zeros, so that dropout should change nothing",
        "Look at where dropout stands: on the embedded tokens, and nowhere else in the encoder.",
    );
    let pair = (&encode(subject, &asked)?, &encode(subject, &case)?);
    compare(&asked, "output", pair, Tolerance::EXACT, words)
}

/// The case with embeddings of zeros and layers whose sublayers give zeros, but for those of layer `n`, which
/// give constants.
pub(crate) fn silenced(case: &Case, n: Option<usize>) -> Case {
    let mut silenced = case.clone();
    for at in 0..case.get_size("layers") {
        let under = format!("layers.{at}.");
        let layer = below(case, &signatures::ENCODER_LAYER, &under);
        let layer = if n == Some(at) { constant(&layer) } else { silent(&layer) };
        for (name, array) in &layer.parameters {
            silenced = silenced.with_parameter(&format!("{under}{name}"), array);
        }
    }
    for name in TABLES {
        silenced = silenced.with_parameter(name, &case.get_parameter(name).map(|_| 0.0));
    }
    silenced
}

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/updated-parameters", seed), 0, encoder_shapes(), |subject, shape| {
        follows_new_parameters(subject, (shape, seed), EncoderShape::encoder)?;
        let case = one_text(shape).encoder(seed);
        let output = encode(subject, &case)?;
        output_responds(subject, &case, &output)?;
        answers_longer_text(subject, (shape, seed), EncoderShape::encoder)?;
        follows_the_mask(subject, (shape, seed), EncoderShape::encoder)?;
        follows_the_mode(subject, (shape, seed), EncoderShape::encoder)?;
        // Without layers the embedded tokens stand bare.
        let bare = EncoderShape { t: 8, h: 2, k: 4, layers: 0, pre_norm: false, ..one_text(shape) };
        draws_anew(subject, &bare.encoder(seed))
    })
}

/// What the encoder should make of the submission's own layers, whatever they do.
fn own_layers(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/own-layers", seed), 2, encoder_shapes(), |subject, shape| {
        // What one layer hands to the next shows in two; what padding does, sharper in one.
        let two = EncoderShape { layers: 2, ..*shape };
        let one = EncoderShape { layers: 1, padded: true, t: shape.t.max(2), ..*shape };
        let each = [one, two].into_iter().flat_map(EncoderShape::each_placement);
        let cases = each.map(|shape| shape.encoder(seed));
        cases.into_iter().try_for_each(|case| follows_its_layers(subject, &case))?;
        // Constants follow layers that give constants. Without layers, the encoder's own part shows.
        let bare = EncoderShape { layers: 0, pre_norm: false, ..*shape }.encoder(seed);
        let output = encode(subject, &bare)?;
        output_responds(subject, &bare, &output)
    })
}

fn follows_its_layers(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let mut x = embedded(case);
    let mut last = case.clone();
    for n in 0..case.get_size("layers") {
        let inner = below(case, &signatures::ENCODER_LAYER, &format!("layers.{n}."))
            .input("x", x.clone())
            .mask(case.find("mask"));
        let by = "encoder-layer/matches-reference";
        let shape = x.shape().to_vec();
        x = answer_inside(subject, (case, &inner), by, output_of(&shape))?;
        last = inner;
    }
    let words = (
        "With your own layers inside, the encoder should hand each layer's output to the next",
        "Look at whether the layers that `below` makes are the ones that are used, each once, at what each \
         is given, and at what is done with what the last one gives.",
    );
    let (want, tolerance) = finished(case, &last, &x);
    let pair = (&meaningful(case, &encode(subject, case)?), &meaningful(case, &want));
    compare(case, "output", pair, tolerance, words)
}
