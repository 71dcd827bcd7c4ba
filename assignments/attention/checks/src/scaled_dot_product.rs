//! Task 1, scaled dot-product attention: properties of every correct implementation.

use softmark_checks::array::{Array, disturbed, raised_unequally, short};
use softmark_checks::case::{Case, InputKind};
use softmark_checks::check::{Check, CheckError, Judged, if_passed, outcome, wrong};
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, responds};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_wire::Attempt;

use crate::attended::{attend, attend_with_weights, compare_weights, results};
use crate::cases::{AttentionShape, attention_shapes, masked_shapes, unmasked_shapes};
use crate::fixed;
use crate::signatures;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "scaled-dot-product/shapes",
        title: "output is [B, H, Tq, K] and weights are [B, H, Tq, Tk], both f32",
        run: shapes,
    },
    Check { id: "scaled-dot-product/worked-example", title: "worked example", run: worked_example },
    Check {
        id: "scaled-dot-product/rows-sum-to-one",
        title: "each query's weights are not negative and sum to one",
        run: rows_sum_to_one,
    },
    Check {
        id: "scaled-dot-product/output-mixes-values",
        title: "the output is the values mixed with the weights that are returned",
        run: output_mixes_values,
    },
    Check {
        id: "scaled-dot-product/key-order",
        title: "the order of keys does not matter when values are permuted with them",
        run: key_order,
    },
    Check {
        id: "scaled-dot-product/mask-hides",
        title: "what a mask hides has no influence at all",
        run: mask_hides,
    },
];

/// Cases for each property: enough that each axis is longer than 1 in most of them.
const CASES: usize = 10;

/// Checks that the output depends on the inputs: if every value grows by one and each query's weights sum to
/// one, every output grows by one.
///
/// Keys grow too, which changes no weight, so that the output changes even if the code mixes keys instead of
/// values. If the mask is misread so that it hides everything, the check is made without a mask. It only
/// establishes that something is computed at all, not that the result is right.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let up = |case: &Case, name| case.with(name, case.get(name).map(|x| x + 1.0));
    let raise = |case: &Case| up(&up(case, "value"), "key");
    let (raised, mut open) = (raise(case), case.clone());
    let (after, _) = attend(subject, &raised)?;
    if before.differs(&after) {
        return compares_keys(subject);
    }
    open.inputs.retain(|input| input.kind != InputKind::Mask);
    let (before, _) = attend(subject, &open)?;
    // The scores of a query of zeros are 0 for every key. What evens out equal changes uses the values all the same.
    let change = |case: &Case, name| case.with(name, raised_unequally(&case.get(name)));
    let changed = change(&change(&change(&open, "value"), "key"), "query");
    let (after, _) = attend(subject, &changed)?;
    let claim = "Every query, key and value was changed";
    responds(&changed, "output", (&before, &after), claim)?;
    compares_keys(subject)
}

/// Checks that the result depends on queries and keys: code that returns the values depends on those alone.
///
/// The question is always the same one, with several heads, queries and keys: a softmax over the wrong axis, or
/// a mask that hides all later keys, still lets some key count there. It is put with a mask too, for code that
/// needs one; code that answers neither fails other checks.
fn compares_keys(subject: &mut Subject<'_>) -> Judged {
    let moved = |case: &Case, name: &str, sign: f64| {
        let mut n = 0.0;
        let moved = case.get(name).map(|x| {
            n += 1.0;
            x + sign / n
        });
        case.with(name, moved)
    };
    for shape in [fixed::SQUARE.unmasked(), fixed::SQUARE.masked()] {
        // The values are distinct, so that other weights give another output.
        let case = moved(&shape.scaled_dot_product(fixed::SEED), "value", 1.0);
        let other = moved(&moved(&case, "query", 1.0), "key", -1.0);
        let Attempt::Success(before) = subject.try_forward(&case)? else { continue };
        let Attempt::Success(after) = subject.try_forward(&other)? else { continue };
        let ((before, _), (after, _)) = (results(&case, &before)?, results(&other, &after)?);
        return responds(
            &other,
            "output",
            (&before, &after),
            "Every query and every key was changed",
        );
    }
    Ok(())
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/shapes", seed);
    let found = search(subject, run, CASES, attention_shapes(), |subject, shape| {
        has_its_shapes(subject, &shape.scaled_dot_product(seed))
    })?;
    if_passed(found, || {
        fixed::single_shapes()
            .iter()
            .try_for_each(|it| has_its_shapes(subject, &it.scaled_dot_product(fixed::SEED)))
    })
}

fn has_its_shapes(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let (output, _) = attend_with_weights(subject, case)?;
    output_responds(subject, case, &output)
}

/// Two keys, one of which fits the query: with `K = 4` the scores are `ln 3` and 0, so the weights
/// are 3/4 and 1/4.
fn example() -> Case {
    let ln3 = 3_f64.ln();
    Case::new(&signatures::SCALED_DOT_PRODUCT, "B=1 H=1 Tq=1 Tk=2 K=4".to_owned())
        .input("query", Array::new(&[1, 1, 1, 4], vec![2.0, 0.0, 0.0, 0.0]))
        .input("key", Array::new(&[1, 1, 2, 4], vec![ln3, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]))
        .input("value", Array::new(&[1, 1, 2, 4], vec![4.0, 0.0, 0.0, 1.0, 0.0, 4.0, 0.0, 1.0]))
}

fn worked_example(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    let case = example();
    let judge = |subject: &mut Subject<'_>| -> Judged {
        let (output, weights) = attend(subject, &case)?;
        // ln 3 rounded to f32, four products, one exp: under 20 roundings of numbers up to 4.
        let tolerance = Tolerance::f32(20, 4.0);
        let look = "Work it through on paper: the two scores first, then their softmax.";
        let want = Array::new(&[1, 1, 1, 2], vec![0.75, 0.25]);
        let claim = "The scores of the two keys should be ln 3 and 0, so the weights 3/4 and 1/4";
        compare_weights(&case, (weights.as_ref(), Some(&want)), tolerance, (claim, look))?;
        let want = Array::new(&[1, 1, 1, 4], vec![3.0, 1.0, 0.0, 1.0]);
        let claim = "With weights 3/4 and 1/4 the values should mix to [3, 1, 0, 1]";
        compare(&case, "output", (&output, &want), tolerance, (claim, look))
    };
    outcome(judge(subject))
}

fn rows_sum_to_one(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/rows-sum-to-one", seed);
    let found = search(subject, run, CASES, attention_shapes(), |subject, shape| {
        let shape = shape.square();
        let case = shape.scaled_dot_product(seed);
        let (_, weights) = attend_with_weights(subject, &case)?;
        let AttentionShape { b, h, tq, tk, .. } = shape;
        if let Some(negative) = weights.values().iter().find(|x| **x < 0.0) {
            let message = format!(
                "A weight is a share and cannot be negative, but one is {}. \
                 Look at what is returned as `weights`: which step of the formula is it?",
                short(*negative)
            );
            return Err(wrong(&case, message));
        }
        let sums = Array::from_fn(&[b, h, tq], |at| sum_row(&weights, at, tk));
        // Tk weights of at most 1, each rounded once by the division and once in the sum. Where a weight is the
        // exponential of a score less the logarithm of the sum, the roundings of both count in addition,
        // and neither is larger than the largest score by more than ln Tk.
        let width = case.get("query").dim(3) as f64;
        let largest = case.get("query").magnitude() * case.get("key").magnitude() * width.sqrt();
        let tolerance = Tolerance::f32(2 * tk + 8, 1.0) + Tolerance::f32(4, largest + tk as f64);
        let claim = "Each query's weights should sum to one over the keys";
        let look = "Look at the axis that the softmax runs over, and at what happens after it.";
        let ones = Array::full(&[b, h, tq], 1.0);
        compare(&case, "weights", (&sums, &ones), tolerance, (claim, look))
    })?;
    if !found.is_pass() {
        return Ok(found);
    }
    // Equal shares for every key sum to one as well; a query twice as long prefers its key more.
    let control = |subject: &mut Subject<'_>| -> Judged {
        // Asked twice over, for code that lets the first query look at the first key alone.
        let twice = vec![2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0];
        let mut case = example().with("query", Array::new(&[1, 1, 2, 4], twice));
        "B=1 H=1 Tq=2 Tk=2 K=4".clone_into(&mut case.label);
        let longer = case.with("query", case.get("query").map(|x| 2.0 * x));
        let before = attend_with_weights(subject, &case)?.1;
        let after = attend_with_weights(subject, &longer)?.1;
        responds(&longer, "weights", (&before, &after), "The query was doubled")
    };
    outcome(control(subject))
}

fn sum_row(weights: &Array, row: &[usize], tk: usize) -> f64 {
    (0..tk).map(|j| weights.at(&[row, &[j]].concat())).sum()
}

fn output_mixes_values(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/output-mixes-values", seed);
    search(subject, run, CASES, attention_shapes(), |subject, shape| {
        let shape = shape.square();
        let case = shape.scaled_dot_product(seed);
        let (output, weights) = attend_with_weights(subject, &case)?;
        // Other checks test a mask that is misread so that it hides everything.
        let open = shape.unmasked().scaled_dot_product(seed);
        if weights.magnitude() == 0.0 && attend_with_weights(subject, &open)?.1.magnitude() == 0.0 {
            let message = "Every weight is 0, though every query may look somewhere. Look at what \
                           is returned as `weights`.";
            return Err(wrong(&case, message.to_owned()));
        }
        let value = case.get("value");
        let want = Array::from_fn(output.shape(), |at| match *at {
            [b, h, i, c] => {
                (0..shape.tk).map(|j| weights.at(&[b, h, i, j]) * value.at(&[b, h, j, c])).sum()
            }
            _ => f64::NAN,
        });
        // Tk products of a weight up to 1 (more, where the weights are wrong) and a value up to 2.
        let tolerance = Tolerance::f32(2 * shape.tk + 8, 2.0 * weights.magnitude().max(1.0));
        let claim = "The output should be the values mixed with the very weights that are returned";
        let look = "Look at what stands between the softmax and each of the two results.";
        compare(&case, "output", (&output, &want), tolerance, (claim, look))?;
        compares_keys(subject)
    })
}

fn key_order(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/key-order", seed);
    search(subject, run, CASES, unmasked_shapes(), |subject, shape| {
        let case = shape.square().unmasked().scaled_dot_product(seed);
        let backwards = |name| {
            let array = case.get(name);
            Array::from_fn(array.shape(), |at| match *at {
                [b, h, j, c] => array.at(&[b, h, shape.tk - 1 - j, c]),
                _ => f64::NAN,
            })
        };
        let turned = case.with("key", backwards("key")).with("value", backwards("value"));
        let (before, _) = attend(subject, &case)?;
        let (after, _) = attend(subject, &turned)?;
        // The same sums in another order: Tk terms of at most 2 each, and the K products and the
        // exponential that each weight came from.
        let tolerance = Tolerance::f32(4 * (shape.tk + shape.k) + 16, 2.0 * scores_up_to(shape.k));
        let claim = "With keys and values both in reverse order, the output should stay as it was";
        let look = "Look at whether each value is weighted by the score of its own key.";
        compare(&turned, "output", (&after, &before), tolerance, (claim, look))?;
        output_responds(subject, &case, &before)
    })
}

/// Returns the largest score that inputs between −2 and 2 can give, and at least 1.
fn scores_up_to(k: usize) -> f64 {
    (4.0 * (k as f64).sqrt()).max(1.0)
}

/// Factors of the random numbers, up to 4.125, that replace hidden keys and values: ordinary ones, which
/// show a mask that does nothing; larger and larger ones, which show a mask that only lowers scores; and
/// the largest that `f32` can hold, whose scores are infinite or `NaN`, and `NaN` after multiplication by 0.
const HIDDEN_SIZES: [f64; 4] = [1.0, 20_000.0, 1e10, 8e37];

fn mask_hides(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/mask-hides", seed);
    search(subject, run, CASES, masked_shapes(), |subject, shape| {
        // What is disturbed must be hidden from every query, so each column is hidden from all or none.
        // Neighbours take turns, and so do texts and, where each has its own mask, heads; the last key
        // always stays in sight.
        let shape = shape.square();
        let case = shape.masked().scaled_dot_product(seed);
        let mask = case.get("mask");
        let heads = mask.dim(1);
        let column = |b: usize, h: usize, j: usize| {
            let h = if heads > 1 { h } else { 0 };
            j + 1 < shape.tk && (b + h + j).is_multiple_of(2)
        };
        let whole = Array::from_fn(mask.shape(), |at| match *at {
            [b, h, _, j] => f64::from(u8::from(!column(b, h, j))),
            _ => f64::NAN,
        });
        let hidden = |at: &[usize]| matches!(*at, [b, h, j, _] if column(b, h, j));
        let case = case.with("mask", whole);
        let before = attend(subject, &case)?;
        for big in HIDDEN_SIZES {
            let mut stream = Stream::derive(seed, "disturbed", shape.data);
            let key = disturbed(&case.get("key"), big, &mut stream, hidden);
            let value = disturbed(&case.get("value"), big, &mut stream, hidden);
            let moved = case.with("key", key).with("value", value);
            let after = attend(subject, &moved)?;
            let claim = format!(
                "Keys and values that the mask hides (0 = may not look) were replaced by others \
                 of up to {}, and the result moved",
                short(4.125 * big)
            );
            let look = "Look at which way the mask points, where it is applied, and whether \
                        anything at all is left of a hidden key's score.";
            let words = (claim.as_str(), look);
            let exact = Tolerance::EXACT;
            let weights = (after.1.as_ref(), before.1.as_ref());
            compare_weights(&moved, weights, exact, words)?;
            compare(&moved, "output", (&after.0, &before.0), exact, words)?;
        }
        output_responds(subject, &case, &before.0)
    })
}
