//! Task 4, the classifier: properties of every correct implementation.

use softmark_common::compare::Tolerance;

use crate::array::Array;
use crate::case::Case;
use crate::check::{Check, CheckError, Judged, Stop, outcome, wrong};
use crate::computes::moves;
use crate::encoder::cases::{EncoderShape, encoder_shapes, first_example, never_asked};
use crate::encoder::dropout;
use crate::encoder::encoder_layer::{padded_at_the_end, padded_at_the_start};
use crate::encoder::missing::refused_without;
use crate::encoder::texts::{
    embedded, enlarged_padding, other_padding, other_texts, raised, with_more_texts,
};
use crate::outcome::Outcome;
use crate::search::search;
use crate::subject::{Subject, compare, responds};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "classifier/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check { id: "classifier/shapes", title: "the logits are [B, C], in f32", run: shapes },
    Check {
        id: "classifier/mean-of-tokens",
        title: "without layers, the head gets the mean of the embedded real tokens",
        run: mean_of_tokens,
    },
    Check {
        id: "classifier/ignores-padding",
        title: "which ids stand at padding has no influence at all",
        run: ignores_padding,
    },
    Check {
        id: "classifier/batch-independence",
        title: "each text is classified by itself",
        run: batch_independence,
    },
    Check {
        id: "classifier/dropout-rests",
        title: "dropout does nothing outside of training",
        run: dropout_rests,
    },
];

const CASES: usize = 4;

/// Returns the shape of the logits, `[B, C]`.
#[must_use]
pub fn shape_of(case: &Case) -> [usize; 2] {
    [case.get("ids").dim(0), case.get_size("classes")]
}

/// Runs the classifier forward and returns the logits, `[B, C]`.
///
/// # Errors
///
/// Fails with the verdict if the tensor has another shape.
pub fn classify(subject: &mut Subject<'_>, case: &Case) -> Result<Array, Stop> {
    subject.forward(case)?.get(case, "logits", &shape_of(case))
}

/// Checks that the logits depend on the embeddings: code that returns the head's bias does not read the texts.
///
/// If the logits do not change, the check is repeated with more texts and lifted logits: a classifier that mixes
/// the texts of a batch, or attends to padding only, does read the embeddings and fails other checks.
///
/// # Errors
///
/// Fails with the verdict if the logits do not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let moved = raised(case);
    if before.differs(&classify(subject, &moved)?) {
        return Ok(());
    }
    let low = with_more_texts(&lifted(case));
    let high = raised(&low);
    let (before, after) = (classify(subject, &low)?, classify(subject, &high)?);
    let changed = "All rows of both embeddings were changed";
    responds(&high, "logits", (&before, &after), changed)
}

/// Checks that the logits depend on the embeddings of the texts, unlike those of code that returns the head's bias.
///
/// # Errors
///
/// Fails with the verdict if the logits do not depend on the embeddings.
pub fn reads_texts(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let texts = with_more_texts(&lifted(case));
    moves(subject, &texts, &raised(&texts), "all rows of both embeddings were changed")
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/parameters", seed);
    search(subject, run, 2, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        let missing = never_asked(&case, &subject.asked(&case)?);
        if missing.is_empty() {
            let own = ["classifier.weight", "classifier.bias"];
            refused_without(subject, &case, &own)?;
            return reads_texts(subject, &case);
        }
        let message = format!(
            "The constructor never asked for {}. The encoder is made by way of `below`, and the head \
             has a weight and a bias. Look at the table of parameters in the documentation of \
             TextClassifier.",
            missing.join(", ")
        );
        Err(wrong(&case, message))
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/shapes", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        let logits = classify(subject, &case)?;
        output_responds(subject, &case, &logits)
    })
}

/// `mean · Wᵀ + b`, with the mean over the real tokens of `x`, `[B, T, D]`.
#[must_use]
pub fn head(case: &Case, x: &Array) -> Array {
    let (mask, d) = (case.get("mask"), x.dim(2));
    let (weight, bias) =
        (case.get_parameter("classifier.weight"), case.get_parameter("classifier.bias"));
    let real = |b: usize| (0..x.dim(1)).filter(|&t| mask.at(&[b, t]) == 1.0).collect::<Vec<_>>();
    let mean = Array::from_fn(&[x.dim(0), d], |at| match *at {
        [b, c] => {
            let tokens = real(b);
            let sum: f64 = tokens.iter().map(|&t| x.at(&[b, t, c])).sum();
            sum / tokens.len().max(1) as f64
        }
        _ => f64::NAN,
    });
    Array::from_fn(&shape_of(case), |at| match *at {
        [b, o] => {
            let dot: f64 = (0..d).map(|c| mean.at(&[b, c]) * weight.at(&[o, c])).sum();
            dot + bias.at(&[o])
        }
        _ => f64::NAN,
    })
}

fn mean_of_tokens(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/mean-of-tokens", seed);
    let bare = |shape: &EncoderShape| EncoderShape { layers: 0, pre_norm: false, ..*shape };
    let found = search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        // Two places at least: one for padding, and one for a token to take the mean of.
        let shape = EncoderShape { t: shape.t.max(2), padded: true, ..bare(shape) };
        is_the_mean(subject, &padded_at_the_end(&shape.classifier(seed)))
    })?;
    if !found.is_pass() {
        return Ok(found);
    }
    // More tokens than a byte counts: 256 come to 0 there.
    let long = |t| EncoderShape { b: 1, t, padded: false, ..bare(&PAIR) }.classifier(seed);
    outcome([256, 300].into_iter().try_for_each(|t| is_the_mean(subject, &long(t))))
}

fn is_the_mean(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let logits = classify(subject, case)?;
    let want = head(case, &embedded(case));
    let claim = "There are no layers here, so the head should get the mean of the embedded real \
                 tokens, and its result is the logits";
    let look = "Look at which positions are added up, at what their sum is divided by, and at what is done \
                in the head and after it.";
    // A mean of T numbers up to 4, then D products with weights up to 1.
    let (t, d) = (case.get("ids").dim(1), case.get_size("d_model"));
    let tolerance = Tolerance::f32(t + d + 8, 4.0 * d as f64 + 2.0);
    compare(case, "logits", (&logits, &want), tolerance, (claim, look))
}

/// Two texts with padding.
const PAIR: EncoderShape = EncoderShape {
    b: 2,
    t: 4,
    h: 2,
    k: 4,
    f: 5,
    v: 6,
    spare: 1,
    layers: 1,
    c: 3,
    pre_norm: false,
    gelu: false,
    padded: true,
    dropout_permille: 0,
    train: false,
    strided: false,
    data: 0,
};

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/ignores-padding", seed);
    let found = search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { padded: true, t: shape.t.max(2), ..*shape };
        let case = shape.classifier(seed);
        let look = "Look at whether the mask reaches both the encoder and the pooling, and at what is added \
                    up before it is applied.";
        // At the start of a text too: code that uses a single token uses the first or the last.
        let each = [padded_at_the_end(&case), padded_at_the_start(&case)];
        each.iter().try_for_each(|case| padding_moves_nothing(subject, case, seed, look))
    })?;
    if found.is_pass() { outcome(huge_padding_moves_nothing(subject, seed)) } else { Ok(found) }
}

/// Numbers whose squares f32 holds, below a layer; and without layers nearly the largest there are.
fn huge_padding_moves_nothing(subject: &mut Subject<'_>, seed: u64) -> Judged {
    let words = (
        "A word of huge numbers stands where the mask is 0, and the logits moved with them",
        "Look at what the padding is multiplied with, and at what is added up before it is hidden.",
    );
    for (layers, size) in [(1, 1e10), (0, 3e38)] {
        let case = EncoderShape { layers, ..PAIR }.classifier(seed);
        let (small, huge) = (enlarged_padding(&case, 1.0), enlarged_padding(&case, size));
        let pair = (&classify(subject, &huge)?, &classify(subject, &small)?);
        compare(&huge, "logits", pair, Tolerance::EXACT, words)?;
    }
    Ok(())
}

/// Checks that other ids at padding leave the logits unchanged bit for bit, and that the logits respond to
/// the inputs that must have influence.
///
/// # Errors
///
/// Fails with the verdict if one of these does not hold.
pub fn padding_moves_nothing(
    subject: &mut Subject<'_>,
    case: &Case,
    seed: u64,
    look: &str,
) -> Judged {
    let moved = other_padding(case, seed);
    let (before, after) = (classify(subject, case)?, classify(subject, &moved)?);
    let words = ("Other ids were put where the mask is 0, and the logits moved", look);
    compare(&moved, "logits", (&after, &before), Tolerance::EXACT, words)?;
    output_responds(subject, case, &before)?;
    words_move_them(subject, case, &before)
}

/// Far more than any logit of these cases is below 0: of 2,000 cases of each assignment, the lowest is
/// −9.8, or −15.6 if a norm's bias is raised too, and tests hold that.
pub const LIFT: f64 = 64.0;

/// Added to the bias of a head's own norm, which a rectifier follows, so that the rectifier passes on most numbers
/// whatever the text: a normed number is at least −√(D − 1), which is −3.3 with the largest width of a case, 12.
const NORM_LIFT: f64 = 4.0;

/// Returns the case with a head's bias by which every logit is above 0: what cuts off all that is below has
/// another mistake. If the head has a norm, its bias is raised as well.
#[must_use]
pub fn lifted(case: &Case) -> Case {
    let raise = |case: &Case, name: &str, by: f64| {
        case.with_parameter(name, &case.get_parameter(name).map(|x| x + by))
    };
    let lifted = raise(case, "classifier.bias", LIFT);
    let has_norm = case.parameters.iter().any(|(name, _)| name == "norm.bias");
    if has_norm { raise(&lifted, "norm.bias", NORM_LIFT) } else { lifted }
}

/// Checks that the logits depend on the words at real tokens: code that returns the head's bias ignores
/// padding as well.
///
/// If the logits do not change, the [`lifted`] case is compared too.
///
/// Each word id is replaced by the next one, and the last id by that of padding: every text then has other
/// words, and never the same words in another order, which some poolings cannot distinguish.
fn words_move_them(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let (ids, mask) = (case.get("ids"), case.get("mask"));
    let vocabulary = case.get_size("vocabulary") as f64;
    let next = |at: &[usize]| {
        let id = ids.at(at);
        if mask.at(at) == 1.0 { (id + 1.0) % vocabulary } else { id }
    };
    let reworded = |case: &Case| case.with("ids", Array::from_fn(ids.shape(), next));
    if before.differs(&classify(subject, &reworded(case))?) {
        return Ok(());
    }
    let lifted = lifted(case);
    let other = reworded(&lifted);
    let (before, after) = (classify(subject, &lifted)?, classify(subject, &other)?);
    responds(&other, "logits", (&before, &after), "Every word at a real token was replaced")
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/batch-independence", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let case = EncoderShape { b: shape.b.max(2), ..*shape }.classifier(seed);
        other_texts_move_nothing(subject, &case, seed, "Look at which axis is pooled over.")
    })
}

/// Checks that the other texts leave the first text's logits unchanged bit for bit, and that the logits
/// respond to the inputs that must have influence.
///
/// # Errors
///
/// Fails with the verdict if one of these does not hold.
pub fn other_texts_move_nothing(
    subject: &mut Subject<'_>,
    case: &Case,
    seed: u64,
    look: &str,
) -> Judged {
    let moved = other_texts(case, seed);
    let (before, after) = (classify(subject, case)?, classify(subject, &moved)?);
    let claim = "Only texts after the first were replaced, and the logits of the first moved";
    let pair = (&first_example(&after), &first_example(&before));
    compare(&moved, "logits", pair, Tolerance::EXACT, (claim, look))?;
    output_responds(subject, case, &before)
}

fn dropout_rests(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/dropout-rests", seed);
    search(subject, run, 2, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        dropout::rests(subject, &case, "logits", &shape_of(&case))?;
        let before = classify(subject, &case)?;
        output_responds(subject, &case, &before)
    })
}
