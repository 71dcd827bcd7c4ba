//! Task 3, the encoder: properties of every correct implementation.

use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, outcome, wrong};
use softmark_checks::component::asks_for_all;
use softmark_checks::computes::{moves, other_parameters};
use softmark_checks::dropout;
use softmark_checks::missing::refused_without;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, finite, responds};
use softmark_checks::texts::{
    at_real_tokens, embedded, enlarged_padding, first_example, other_padding, other_texts,
    padded_at_the_end, raised,
};
use softmark_common::compare::Tolerance;

use crate::cases::{EncoderShape, encoder_shapes, full_mantissas};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "encoder/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check { id: "encoder/shapes", title: "the output is [B, T, D], in f32", run: shapes },
    Check {
        id: "encoder/embeds",
        title: "without layers, each token's row and each position's row are added",
        run: embeds,
    },
    Check {
        id: "encoder/order-matters",
        title: "the same tokens in another order are another text",
        run: order_matters,
    },
    Check {
        id: "encoder/ignores-padding",
        title: "which ids stand at padding has no influence on real tokens at all",
        run: ignores_padding,
    },
    Check {
        id: "encoder/batch-independence",
        title: "each text is encoded by itself",
        run: batch_independence,
    },
    Check {
        id: "encoder/dropout-rests",
        title: "dropout does nothing outside of training",
        run: dropout_rests,
    },
];

const CASES: usize = 4;

/// Runs the encoder forward and returns the output, `[B, T, D]`.
///
/// # Errors
///
/// Fails with the verdict if the tensor has another shape.
pub fn encode(subject: &mut Subject<'_>, case: &Case) -> Result<Array, Stop> {
    subject.forward(case)?.get(case, "output", &shape_of(case))
}

/// Returns the shape of the output, `[B, T, D]`.
#[must_use]
pub fn shape_of(case: &Case) -> [usize; 3] {
    let ids = case.get("ids");
    [ids.dim(0), ids.dim(1), case.get_size("d_model")]
}

/// Checks that the output moves with the embeddings, and, where there are layers, with the parameters other than
/// the table of tokens: code that looks up the tokens and does nothing else moves with that table alone.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let moved = raised(case);
    let after = encode(subject, &moved)?;
    responds(&moved, "output", (before, &after), "All rows of both embeddings were changed")?;
    if case.get_size("layers") == 0 {
        return Ok(());
    }
    let moved = tokens_kept(case);
    let after = encode(subject, &moved)?;
    let changed = "Every parameter but the table of tokens was changed";
    responds(&moved, "output", (before, &after), changed)
}

/// Returns the case with other parameters, and the same table of tokens.
#[must_use]
pub fn tokens_kept(case: &Case) -> Case {
    other_parameters(case, |name| name != "token_embedding.weight")
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/parameters", seed), 2, encoder_shapes(), |subject, shape| {
        let case = EncoderShape { layers: 2, ..shape.usual() }.encoder(seed);
        let about = "There are two tables, as many layers as the config says, each below a name of its own, and, \
                     since the layers are pre-norm, one more norm. Look at the table of parameters in the \
                     documentation of Encoder.";
        asks_for_all(subject, &case, about)?;
        refused_without(subject, &case, &["token_embedding.weight", "position_embedding.weight"])?;
        let changed = "every parameter but the table of tokens was changed";
        moves(subject, &case, &tokens_kept(&case), changed)
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/shapes", seed), CASES, encoder_shapes(), |subject, shape| {
        let case = shape.usual().encoder(seed);
        let output = encode(subject, &case)?;
        output_responds(subject, &case, &output)
    })
}

fn embeds(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/embeds", seed);
    let bare = |shape: &EncoderShape| EncoderShape {
        layers: 0,
        pre_norm: false,
        spare: shape.spare.max(1),
        ..*shape
    };
    let found = search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        // One sum of two multiples of 1/8 up to 2: exact in f32.
        adds_rows(subject, &bare(shape).encoder(seed), Tolerance::EXACT)
    })?;
    if !found.is_pass() {
        return Ok(found);
    }
    // Positions that no byte counts; and what is padding's is told by the id, not by the mask.
    let long = EncoderShape { t: 300, ..LONG }.encoder(seed);
    let mixed = zeros_anywhere(&bare(&EncoderShape { t: 6, ..LONG }).encoder(seed));
    let mut fixed = || -> Judged {
        // One sum of numbers up to 2 that f32 has to round; more is only for what is written otherwise.
        adds_rows(subject, &full_mantissas(&mixed, seed), Tolerance::f32(16, 4.0))?;
        adds_rows(subject, &long, Tolerance::EXACT)
    };
    outcome(fixed())
}

/// Texts without layers, to be made as long as is needed.
const LONG: EncoderShape =
    EncoderShape { b: 2, t: 300, k: 4, f: 1, v: 6, spare: 1, padded: true, ..EncoderShape::BARE };

/// Returns the case with padding's id at the first place, where a token is real by the mask, and a word's id at the
/// last, where none is.
fn zeros_anywhere(case: &Case) -> Case {
    let ids = case.get("ids");
    let last = ids.dim(1).saturating_sub(1);
    let place = |at: &[usize], first: f64, end: f64, or: f64| match *at {
        [_, 0] => first,
        [_, t] if t == last => end,
        _ => or,
    };
    let mask = case.get("mask");
    let mask = Array::from_fn(mask.shape(), |at| place(at, 1.0, 0.0, mask.at(at)));
    let ids = Array::from_fn(ids.shape(), |at| place(at, 0.0, 1.0, ids.at(at)));
    case.with("ids", ids).with("mask", mask)
}

fn adds_rows(subject: &mut Subject<'_>, case: &Case, tolerance: Tolerance) -> Judged {
    let output = encode(subject, case)?;
    let claim = "There are no layers here, so at each place the row of its token and the row of \
                 its position should be added, and the row of padding (id 0) counts as zeros";
    let look = "Look at which rows of the two tables are taken, and at what else is done to them.";
    // The output at padding has no meaning; padding's id may be at a real place, and another id at padding.
    let mask = case.get("mask");
    let pair = (&at_real_tokens(&output, &mask), &at_real_tokens(&embedded(case), &mask));
    compare(case, "output", pair, tolerance, (claim, look))
}

/// Returns the case with distinct first two tokens in the first text, and the same case with these two swapped.
fn swapped(case: &Case) -> (Case, Case) {
    let ids = case.get("ids");
    let with = |first: f64, second: f64| {
        case.with(
            "ids",
            Array::from_fn(ids.shape(), |at| match *at {
                [0, 0] => first,
                [0, 1] => second,
                _ => ids.at(at),
            }),
        )
    };
    (with(1.0, 2.0), with(2.0, 1.0))
}

fn order_matters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/order-matters", seed), CASES, encoder_shapes(), |subject, shape| {
        // With a row to spare, so that rows that are counted from another number are still two.
        let shape = EncoderShape { t: shape.t.max(2), padded: false, layers: 1, ..shape.usual() };
        let (one, other) = swapped(&shape.encoder(seed));
        let (before, after) = (encode(subject, &one)?, encode(subject, &other)?);
        [&before, &after].into_iter().try_for_each(|it| finite(&other, "output", it))?;
        // Without positions, the rows of the two tokens would only change places.
        let turned = Array::from_fn(after.shape(), |at| match *at {
            [0, 0, c] => after.at(&[0, 1, c]),
            [0, 1, c] => after.at(&[0, 0, c]),
            _ => after.at(at),
        });
        let far = |x: &Array, y: &Array| {
            x.values().iter().zip(y.values()).any(|(x, y)| (x - y).abs() > 1e-3)
        };
        if far(&turned, &before) {
            return Ok(());
        }
        let message =
            "Two tokens changed places, and each kept its output: positions play no part. \
                       Look at whether the row of each position reaches the first layer."
                .to_owned();
        Err(wrong(&other, message))
    })
}

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/ignores-padding", seed), CASES, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { padded: true, t: shape.t.max(2), ..shape.usual() };
        let case = padded_at_the_end(&shape.encoder(seed));
        let mask = case.get("mask");
        let before = encode(subject, &case)?;
        let claim = "Other ids were put where the mask is 0, and the output at a real token moved";
        let ordinary = "Look at whether the mask reaches every layer as it was handed in.";
        let large = "The row of the ids at padding has large numbers here: look at what is done with them, and \
                     at the type that you compute in.";
        // An ordinary row at padding, and then one of huge numbers, whose squares are numbers in f32 still.
        for (moved, look) in
            [(other_padding(&case, seed), ordinary), (enlarged_padding(&case, 1e10), large)]
        {
            let after = encode(subject, &moved)?;
            let pair = (&at_real_tokens(&after, &mask), &at_real_tokens(&before, &mask));
            compare(&moved, "output", pair, Tolerance::EXACT, (claim, look))?;
        }
        output_responds(subject, &case, &before)?;
        sees_tokens_of_id_zero(subject, &shape, seed)
    })
}

/// Checks that the mask alone says what is padding: a real token with the id 0 is seen by others as any real token is.
///
/// An encoder in which a token with another id has no influence either fails other checks.
fn sees_tokens_of_id_zero(subject: &mut Subject<'_>, shape: &EncoderShape, seed: u64) -> Judged {
    let case = EncoderShape { t: shape.t.max(3), padded: false, ..*shape }.encoder(seed);
    let first = |array: &Array, value: f64| {
        Array::from_fn(array.shape(), |at| if at.last() == Some(&0) { value } else { array.at(at) })
    };
    let (ids, mask) = (case.get("ids"), case.get("mask"));
    let hidden = first(&mask, 0.0);
    let mut moves = |id: f64| -> Result<bool, Stop> {
        let real = case.with("ids", first(&ids, id));
        let (seen, unseen) =
            (encode(subject, &real)?, encode(subject, &real.with("mask", hidden.clone()))?);
        let [seen, unseen] = [seen, unseen].map(|output| at_real_tokens(&output, &hidden));
        Ok(seen.largest_difference(&unseen) > 0.0)
    };
    if moves(0.0)? || !moves(1.0)? {
        return Ok(());
    }
    let mut real = case.with("ids", first(&ids, 0.0));
    real.label = format!("{}, id 0 at the first token", case.label);
    let message = "The first token of each text has the id 0 and is real, for its mask is 1; the outputs of the other \
                   tokens are the same, bit for bit, as with a mask of 0 there. The mask alone says what is \
                   padding. Look at whether the mask reaches every layer as it was handed in.";
    Err(wrong(&real, message.to_owned()))
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/batch-independence", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let case = EncoderShape { b: shape.b.max(2), ..shape.usual() }.encoder(seed);
        let moved = other_texts(&case, seed);
        let (before, after) = (encode(subject, &case)?, encode(subject, &moved)?);
        let claim = "Only texts after the first were replaced, and the output of the first moved";
        let look = "Look at which axis is the batch in each step, and at what positions are counted \
                    along.";
        let pair = (&first_example(&after), &first_example(&before));
        compare(&moved, "output", pair, Tolerance::EXACT, (claim, look))?;
        output_responds(subject, &case, &before)
    })
}

fn dropout_rests(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder/dropout-rests", seed), 2, encoder_shapes(), |subject, shape| {
        let case = shape.usual().encoder(seed);
        dropout::has_no_effect(subject, &case, "output", &shape_of(&case))?;
        let before = encode(subject, &case)?;
        output_responds(subject, &case, &before)
    })
}
