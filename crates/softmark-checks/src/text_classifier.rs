//! Properties of every component that reads texts (`ids` and `mask`, `[B, T]`) and returns `logits`, `[B, C]`.

use softmark_common::compare::Tolerance;

use crate::array::Array;
use crate::case::Case;
use crate::check::{Judged, Stop};
use crate::computes::moves;
use crate::subject::{Subject, compare, responds};
use crate::texts::{first_example, other_padding, other_texts, raised, with_more_texts};

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
