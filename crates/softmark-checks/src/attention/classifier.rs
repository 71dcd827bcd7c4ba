//! Task 6, the classifier: what is true of any right one.

use softmark_kit::compare::Tolerance;

use crate::array::Array;
use crate::attention::classifier_cases::{ClassifierShape, classifier_shapes};
use crate::case::Case;
use crate::check::{Check, CheckError, Judged, Stop, wrong};
use crate::encoder::cases::{first_example, never_asked};
use crate::encoder::encoder_layer::padded_at_the_end;
use crate::encoder::texts::{other_padding, other_texts, raised};
use crate::outcome::Outcome;
use crate::search::search;
use crate::subject::{Subject, compare, responds};

/// From the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "classifier/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check { id: "classifier/shapes", title: "the logits are [B, C], in f32", run: shapes },
    Check {
        id: "classifier/ignores-padding",
        title: "which ids stand at padding has no influence, not by one bit",
        run: ignores_padding,
    },
    Check {
        id: "classifier/batch-independence",
        title: "each text is classified by itself",
        run: batch_independence,
    },
    Check {
        id: "classifier/order-matters",
        title: "two words that change places change the logits",
        run: order_matters,
    },
];

const CASES: usize = 4;

/// `[B, C]`.
#[must_use]
pub fn shape_of(case: &Case) -> [usize; 2] {
    [case.get("ids").dim(0), case.get_size("classes")]
}

/// What comes out, `[B, C]`.
///
/// # Errors
///
/// The verdict, where it has another shape.
pub fn classify(subject: &mut Subject<'_>, case: &Case) -> Result<Array, Stop> {
    subject.forward(case)?.get(case, "logits", &shape_of(case))
}

/// Holds that the logits move with the head's bias, each class by another amount, or else with the
/// embeddings.
///
/// # Errors
///
/// The verdict, where they do not move.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let mut n = 0.0;
    let bias = case.get_parameter("classifier.bias").map(|x| {
        n += 1.0;
        x + n
    });
    let moved = raised(&case.with_parameter("classifier.bias", &bias));
    let after = classify(subject, &moved)?;
    let changed = "The head's bias and all rows of both embeddings were changed";
    responds(&moved, "logits", (before, &after), changed)
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/parameters", seed);
    search(subject, run, 2, classifier_shapes(), |subject, shape| {
        shape.each_norm().into_iter().try_for_each(|shape| {
            let case = shape.classifier(seed);
            let missing = never_asked(&case, &subject.asked(&case)?);
            if missing.is_empty() {
                return Ok(());
            }
            let message = format!(
                "The constructor never asked for {}. Positions and attention are made by way of \
                 `below`; the token embedding, the head and, where the config says so, the norm are \
                 the classifier's own. Look at the table of parameters in the documentation of \
                 AttentionClassifier.",
                missing.join(", ")
            );
            Err(wrong(&case, message))
        })
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/shapes", seed);
    search(subject, run, CASES, classifier_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        let logits = classify(subject, &case)?;
        output_responds(subject, &case, &logits)
    })
}

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/ignores-padding", seed);
    search(subject, run, CASES, classifier_shapes(), |subject, shape| {
        // Among several real tokens, what a query at padding gives hangs on the query as well.
        let shape = ClassifierShape { padded: true, t: shape.t.max(4), ..*shape };
        let each = shape.each_pooling().into_iter();
        each.map(|shape| padded_at_the_end(&shape.classifier(seed)))
            .try_for_each(|case| padding_moves_nothing(subject, &case, seed))
    })
}

fn padding_moves_nothing(subject: &mut Subject<'_>, case: &Case, seed: u64) -> Judged {
    let moved = other_padding(case, seed);
    let (before, after) = (classify(subject, case)?, classify(subject, &moved)?);
    let words = (
        "Other ids were put where the mask is 0, and the logits moved",
        "Look at whether the mask reaches both the attention and the pooling, and which way each of \
         them reads it.",
    );
    compare(&moved, "logits", (&after, &before), Tolerance::EXACT, words)?;
    output_responds(subject, case, &before)
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/batch-independence", seed);
    search(subject, run, CASES, classifier_shapes(), |subject, shape| {
        let case = ClassifierShape { b: shape.b.max(2), ..*shape }.classifier(seed);
        let moved = other_texts(&case, seed);
        let (before, after) = (classify(subject, &case)?, classify(subject, &moved)?);
        let claim = "Only texts after the first were replaced, and the logits of the first moved";
        let look = "Look at which axis is attended along, and which is pooled over.";
        let pair = (&first_example(&after), &first_example(&before));
        compare(&moved, "logits", pair, Tolerance::EXACT, (claim, look))?;
        output_responds(subject, &case, &before)
    })
}

/// The case with two different words at the first two places of every text, in that order or in
/// the other.
fn with_first_words(case: &Case, [first, second]: [f64; 2]) -> Case {
    let ids = case.get("ids");
    case.with(
        "ids",
        Array::from_fn(ids.shape(), |at| match *at {
            [_, 0] => first,
            [_, 1] => second,
            _ => ids.at(at),
        }),
    )
}

/// Far more than rounding leaves of sums in another order, and far less than words in another order
/// do to at least one of many logits.
const MOVED: f64 = 1e-4;

fn order_matters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/order-matters", seed);
    search(subject, run, CASES, classifier_shapes(), |subject, shape| {
        // Over a mean, where a bag of words has no order at all.
        let shape = ClassifierShape { b: 3, t: 4, h: 2, k: 4, kind: 0, padded: false, ..*shape };
        let case = shape.classifier(seed);
        let (one, other) =
            (with_first_words(&case, [1.0, 2.0]), with_first_words(&case, [2.0, 1.0]));
        let (before, after) = (classify(subject, &one)?, classify(subject, &other)?);
        let far = |(x, y): (&f64, &f64)| (x - y).abs() > MOVED;
        if before.values().iter().zip(after.values()).any(far) {
            return Ok(());
        }
        let message = "Two words changed places in every text, and no logit moved: positions play no \
                       part in what is attended to. Look at whether the row of each position reaches \
                       the attention."
            .to_owned();
        Err(wrong(&other, message))
    })
}
