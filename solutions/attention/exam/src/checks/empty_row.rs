//! Hidden check of attention with queries that may look at nothing.

use attention_checks::attended::{attend, compare_weights};
use attention_checks::cases::{AttentionShape, MaskKind, masked_shapes};
use attention_checks::fixed::{self, SQUARE, with_one_key_hidden};
use attention_checks::scaled_dot_product::output_responds;
use softmark_checks::check::if_passed;
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, CheckError, Judged, Outcome, Stop, Subject, search};
use softmark_exam::check::is_right;

use crate::checks::oracle_for;
use crate::checks::tolerances::of_attention as tolerance;

/// The case with one query's row of the mask set to zeros.
pub(crate) fn with_empty_row(case: &Case) -> Case {
    let mask = case.get("mask");
    let rows = mask.dim(2);
    case.with(
        "mask",
        Array::from_fn(mask.shape(), |at| match *at {
            [0, _, i, _] if i + 1 == rows => 0.0,
            _ => mask.at(at),
        }),
    )
}

pub(super) fn empty_row(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/empty-row", seed);
    let found = search(subject, run, 6, masked_shapes(), |subject, shape| {
        let shape = &shape.square();
        let sighted = shape.masked().scaled_dot_product(seed);
        gives_zeros(subject, (&sighted, shape), &LAST_OF_FIRST)?;
        if is_right_with_masks(subject)? {
            BLIND.iter().try_for_each(|blind| gives_zeros(subject, (&sighted, shape), blind))?;
        }
        let (output, _) = attend(subject, &sighted)?;
        output_responds(subject, &sighted, &output)
    })?;
    if_passed(found, || {
        // A softmax over one key is 1, whatever its score.
        let single = AttentionShape { tq: 1, tk: 1, ..SQUARE };
        let case = single.scaled_dot_product(fixed::SEED);
        let open = case.with("mask", case.get("mask").map(|_| 1.0));
        gives_zeros(subject, (&open, &single), &LAST_OF_FIRST)
    })
}

/// True if the answers are right where each query may look at all keys but one, in each example and head: what is wrong
/// there, other checks say. The questions are the same on every seed.
fn is_right_with_masks(subject: &mut Subject<'_>) -> Result<bool, Stop> {
    for mask in [MaskKind::Shared, MaskKind::PerHead] {
        let shape = AttentionShape { mask, ..SQUARE };
        let case = with_one_key_hidden(&shape.scaled_dot_product(fixed::SEED));
        let judged_by = oracle_for(subject, &case)?;
        if !is_right(subject, &case, judged_by, tolerance(&shape))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A query that may look at nothing.
struct Blind {
    /// Its description in messages.
    name: &'static str,
    /// True if it is the query at `[b, h, i]`, given the numbers of examples, heads and queries.
    is_at: fn([usize; 3], [usize; 3]) -> bool,
}

const LAST_OF_FIRST: Blind = Blind {
    name: "The last query of the first example",
    is_at: |[b, _, i], [_, _, queries]| b == 0 && i + 1 == queries,
};

/// Other places of rows of zeros. The second is in one head alone, where masks have heads.
const BLIND: [Blind; 2] = [
    Blind {
        name: "The first query of the last example",
        is_at: |[b, _, i], [examples, _, _]| b + 1 == examples && i == 0,
    },
    Blind {
        name: "In the last head, where the mask has heads, the first query of the last example",
        is_at: |[b, h, i], [examples, heads, _]| b + 1 == examples && h + 1 == heads && i == 0,
    },
];

/// Checks that a query that may look at nothing gets zeros, and all others what they get when it may look at something.
fn gives_zeros(
    subject: &mut Subject<'_>,
    (sighted, shape): (&Case, &AttentionShape),
    blind: &Blind,
) -> Judged {
    let mask = sighted.get("mask");
    let heads = mask.dim(1);
    // A mask without heads hides the query in each of them.
    let emptied = |array: &Array| {
        let sizes = [shape.b, heads, shape.tq];
        Array::from_fn(array.shape(), |at| match *at {
            [b, h, i, _] if (blind.is_at)([b, h.min(heads - 1), i], sizes) => 0.0,
            _ => array.at(at),
        })
    };
    let empty = sighted.with("mask", emptied(&mask));
    let (output, weights) = attend(subject, sighted)?;
    let (blind_output, blind_weights) = attend(subject, &empty)?;
    let claim = format!(
        "{} may look at nothing, so its weights and its output should be 0, and all others what they are \
         when it may look at something",
        blind.name
    );
    let words =
        (claim.as_str(), "Look at what the softmax makes of a row in which everything is hidden.");
    let tolerance = tolerance(shape);
    let weights = weights.as_ref().map(emptied);
    let pair = (blind_weights.as_ref(), weights.as_ref());
    compare_weights(&empty, pair, tolerance, words)?;
    compare(&empty, "output", (&blind_output, &emptied(&output)), tolerance, words)
}
